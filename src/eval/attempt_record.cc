#include "eval/attempt_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "job/read_journal.h"

namespace pedro {
namespace {

constexpr long long kAttemptVersion = 1;
constexpr std::string_view kAttemptType = "eval-tasks";

Error at_line(std::string_view place, std::size_t line, std::string_view what) {
  return usage_error(fmt::format("{}:{}: {}", place, line, what));
}

AttemptHeader header_from(const Json& json) {
  return {text_of(json, "agent"),   text_of(json, "label"),   text_of(json, "tasks"),
          text_of(json, "args"),    text_of(json, "version"), text_of(json, "model"),
          text_of(json, "backend"), text_of(json, "format")};
}

TaskAttempt attempt_from(const Json& json) {
  TaskAttempt attempt;
  attempt.task = text_of(json, "task");
  attempt.run = static_cast<int>(std::min(1'000'000LL, count_of(json, "run")));
  attempt.kind = text_of(json, "kind");
  attempt.language = text_of(json, "language");
  attempt.solved = truth_of(json, "solved");
  attempt.outcome = text_of(json, "outcome");
  attempt.exit_code = static_cast<int>(std::min(255LL, count_of(json, "exit_code")));
  attempt.verified = truth_of(json, "verified");
  attempt.visible_in_clone = truth_of(json, "visible_in_clone");
  attempt.rounds = count_of(json, "rounds");
  attempt.calls = count_of(json, "calls");
  attempt.refused = count_of(json, "refused");
  attempt.same_refused = count_of(json, "same_refused_in_a_row");
  attempt.generated_tokens = count_of(json, "generated_tokens");
  attempt.prompt_tokens = count_of(json, "prompt_tokens");
  attempt.cached_tokens = count_of(json, "cached_tokens");
  attempt.seconds = real_of(json, "seconds");
  attempt.first_call_s = real_of(json, "first_call_s", -1);
  attempt.tries = count_of(json, "tries");
  return attempt;
}

}  // namespace

const TaskAttempt* AttemptRecord::find(std::string_view task, int run) const {
  const auto found = std::find_if(attempts.begin(), attempts.end(), [&](const TaskAttempt& one) {
    return one.run == run && one.task == task;
  });
  return found == attempts.end() ? nullptr : &*found;
}

std::string to_line(const AttemptHeader& header) {
  return to_line(Json{{"type", kAttemptType},
                      {"record", kAttemptVersion},
                      {"agent", header.agent},
                      {"label", header.label},
                      {"tasks", header.tasks},
                      {"args", header.args},
                      {"version", header.version},
                      {"model", header.model},
                      {"backend", header.backend},
                      {"format", header.format}});
}

std::string to_line(const TaskAttempt& attempt) {
  Json json = {{"task", attempt.task},
               {"run", attempt.run},
               {"kind", attempt.kind},
               {"language", attempt.language},
               {"solved", attempt.solved},
               {"outcome", attempt.outcome},
               {"exit_code", attempt.exit_code},
               {"verified", attempt.verified},
               {"visible_in_clone", attempt.visible_in_clone},
               {"rounds", attempt.rounds},
               {"calls", attempt.calls},
               {"refused", attempt.refused},
               {"same_refused_in_a_row", attempt.same_refused},
               {"generated_tokens", attempt.generated_tokens},
               {"prompt_tokens", attempt.prompt_tokens},
               {"cached_tokens", attempt.cached_tokens},
               {"seconds", attempt.seconds}};
  if (attempt.first_call_s >= 0) json["first_call_s"] = attempt.first_call_s;
  json["tries"] = attempt.tries;
  return to_line(json);
}

bool is_attempt_record(std::string_view text) {
  const Result<Json> json = parse_json(text.substr(0, text.find('\n')));
  return json && text_of(*json, "type") == kAttemptType;
}

Result<AttemptRecord> read_attempt_record(std::string_view place, std::string_view text) {
  AttemptRecord record;
  const bool torn = !text.empty() && !text.ends_with('\n');
  const std::vector<std::string_view> lines = split_lines(text);
  if (lines.empty()) return at_line(place, 1, "the file is empty");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty() || (torn && i > 0 && i + 1 == lines.size())) continue;
    const Result<Json> json = parse_json(lines[i]);
    if (!json || !json->is_object()) return at_line(place, i + 1, "expected a JSON object");
    if (i == 0) {
      if (text_of(*json, "type") != kAttemptType || number_of(*json, "record") != kAttemptVersion) {
        return at_line(place, 1,
                       fmt::format("not a record of `eval tasks`, version {}", kAttemptVersion));
      }
      record.header = header_from(*json);
      continue;
    }
    TaskAttempt attempt = attempt_from(*json);
    if (attempt.task.empty() || attempt.run < 1) {
      return at_line(place, i + 1, "expected task and run");
    }
    if (record.find(attempt.task, attempt.run) == nullptr) {
      record.attempts.push_back(std::move(attempt));
    }
  }
  return record;
}

void AttemptJournal::hear(const Json& event) {
  reader_.hear(event);
  const std::string type = text_of(event, "type");
  if (type == "thread.started") branch_ = text_of(event, "branch");
  if (type == "turn.started") end_round();
  if (type == "item.completed") hear_item(event);
  // Ignores a phase that ended at a limit: it accepted nothing.
  if (type == "phase.completed" && text_of(event, "end") == "completed") did_something_ = true;
  if (type != "thread.completed") return;
  branch_ = text_of(event, "branch");
  rounds_ = count_of(event, "rounds");
  tries_ = count_of(event, "tries");
}

void AttemptJournal::hear_item(const Json& event) {
  const Json& item = member(event, "item");
  const std::string type = text_of(item, "type");
  if (type == "agent_message") {
    in_round_ = true;
    reply_ = text_of(item, "text");
  }
  if (type == "file_change") did_something_ = true;
  if (type != "tool_call") return;
  ++calls_;
  if (!truth_of(item, "valid", true)) {
    ++refused_calls_;
    return;
  }
  did_something_ = true;
  if (first_call_ms_ == 0) first_call_ms_ = from_rfc3339(text_of(event, "ts")).value_or(0);
}

// Counts a reply as refused if no tool ran and no phase ended after it.
void AttemptJournal::end_round() {
  if (!in_round_) return;
  refused_ += did_something_ ? refused_calls_ : std::max(1LL, refused_calls_);
  if (did_something_) {
    last_refused_.clear();
    same_now_ = 0;
  } else {
    same_now_ = same_now_ > 0 && reply_ == last_refused_ ? same_now_ + 1 : 1;
    same_most_ = std::max(same_most_, same_now_);
    last_refused_ = std::move(reply_);
  }
  in_round_ = false;
  did_something_ = false;
  refused_calls_ = 0;
  reply_.clear();
}

void AttemptJournal::fill(TaskAttempt& attempt, long long started_ms) const {
  const JobFigures& job = reader_.figures();
  attempt.outcome = job.outcome;
  const auto inferences = static_cast<long long>(job.inferences.size());
  attempt.rounds = std::max(rounds_, inferences);
  attempt.calls = calls_;
  attempt.refused = refused_;
  attempt.same_refused = same_most_;
  attempt.tries = tries_;
  for (const InferenceFigures& one : job.inferences) {
    attempt.generated_tokens += one.usage.generated_tokens;
    attempt.prompt_tokens += one.usage.prompt_tokens;
    attempt.cached_tokens += one.usage.cached_tokens;
  }
  if (first_call_ms_ > 0) {
    attempt.first_call_s = static_cast<double>(std::max(0LL, first_call_ms_ - started_ms)) / 1000;
  }
}

Result<AttemptJournal> read_attempt_journal(const FileSystem& files, const std::string& path) {
  AttemptJournal journal;
  PEDRO_RETURN_IF_ERROR(read_journal(files, path, [&](const Json& event) { journal.hear(event); }));
  journal.end();
  return journal;
}

}  // namespace pedro
