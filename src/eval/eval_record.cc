#include "eval/eval_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace pedro {
namespace {

constexpr long long kVersion = 1;

Error wrong(std::string_view place, int line, std::string_view what) {
  return {ErrorKind::kUsage, fmt::format("{}:{}: {}", place, line, what)};
}

EvalCall read_call(const Json& json) {
  EvalCall call;
  call.configuration = text_of(json, "configuration");
  call.run = static_cast<int>(number_of(json, "run"));
  call.round = static_cast<int>(number_of(json, "round"));
  call.rounds = static_cast<int>(number_of(json, "rounds"));
  call.task = text_of(json, "task");
  call.failure = parse_call_failure(text_of(json, "failure"));
  call.right = truth_of(json, "right");
  call.tokens = number_of(json, "tokens");
  call.ms = real_of(json, "ms");
  call.notice = text_of(json, "notice");
  call.repaired = truth_of(json, "repaired");
  call.reason = text_of(json, "reason");
  call.reply = text_of(json, "reply");
  return call;
}

}  // namespace

bool EvalRecord::has(const std::string& configuration, int run) const {
  return std::any_of(calls.begin(), calls.end(), [&](const EvalCall& call) {
    return call.run == run && call.configuration == configuration;
  });
}

std::string to_line(const EvalHeader& header) {
  return to_line(Json{{"type", "eval"},
                      {"record", kVersion},
                      {"model", header.model},
                      {"backend", header.backend},
                      {"format", header.format},
                      {"plan", header.plan},
                      {"version", header.version}});
}

std::string to_line(const EvalCall& call) {
  Json json = {{"configuration", call.configuration},
               {"run", call.run},
               {"round", call.round},
               {"rounds", call.rounds},
               {"task", call.task},
               {"failure", to_string(call.failure)},
               {"right", call.right},
               {"tokens", call.tokens},
               {"ms", call.ms}};
  if (!call.notice.empty()) json["notice"] = call.notice;
  if (call.repaired) json["repaired"] = true;
  if (!call.reason.empty()) json["reason"] = call.reason;
  if (!call.reply.empty()) json["reply"] = call.reply;
  return to_line(json);
}

Result<EvalRecord> read_eval_record(std::string_view place, std::string_view text) {
  EvalRecord record;
  std::vector<EvalCall> open;  // calls of an incomplete conversation
  int number = 0;
  const bool torn = !text.empty() && !text.ends_with('\n');
  const std::vector<std::string_view> lines = split_lines(text);
  for (const std::string_view line : lines) {
    ++number;
    if (line.empty()) continue;
    const bool last = static_cast<std::size_t>(number) == lines.size();
    if (torn && last && number > 1) break;
    const Result<Json> json = parse_json(line);
    if (!json || !json->is_object()) return wrong(place, number, "expected a JSON object");
    if (number == 1) {
      if (text_of(*json, "type") != "eval" || number_of(*json, "record") != kVersion) {
        return wrong(place, 1, fmt::format("not a record of `eval`, version {}", kVersion));
      }
      record.header = {text_of(*json, "model"), text_of(*json, "backend"), text_of(*json, "format"),
                       text_of(*json, "plan"), text_of(*json, "version")};
      continue;
    }
    EvalCall call = read_call(*json);
    const bool same = !open.empty() && open.front().run == call.run &&
                      open.front().rounds == call.rounds &&
                      open.front().configuration == call.configuration;
    if (!same) open.clear();
    if (call.round != static_cast<int>(open.size()) + 1) continue;
    open.push_back(std::move(call));
    const bool ends = open.back().failure == CallFailure::kFailed;
    if (open.back().round != open.back().rounds && !ends) continue;
    if (!record.has(open.front().configuration, open.front().run)) {
      std::move(open.begin(), open.end(), std::back_inserter(record.calls));
    }
    open.clear();
  }
  if (number == 0) return wrong(place, 1, "the file is empty");
  return record;
}

}  // namespace pedro
