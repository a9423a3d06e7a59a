#include "llm/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "call_parser/call_parser.h"
#include "llm/reply_recovery.h"

namespace pedro {
namespace {

constexpr int kVersion = 2;

// Returns the text of a message that is recorded and compared.
std::string shown(const ChatMessage& message) {
  std::string text = text_of(message);
  for (const RequestedCall& call : message.calls) {
    text += fmt::format("{}call {} {} {}", text.empty() ? "" : "\n", call.id, call.name,
                        call.arguments);
  }
  return message.call_id ? fmt::format("result of {}: {}", *message.call_id, text) : text;
}

// Returns a hash of all declared tools and callable actions.
std::string tools_hash(const GenerateRequest& request) {
  std::uint64_t hash = kHashSeed;
  const auto add = [&hash](std::string_view text) {
    hash = hash_bytes(text, hash_bytes(std::string_view("", 1), hash));
  };
  for (const DeclaredTool& tool : request.chat.tools) {
    add(tool.name);
    add(tool.description);
    add(tool.parameters);
  }
  std::set<std::string> calls;  // without schemas, which contain a project's file names
  for (const CallBranch& branch : request.calls) calls.insert(branch.tool + '.' + branch.action);
  for (const std::string& call : calls) add(call);
  return to_hex(hash);
}

Json turn_json(const ChatMessage& message) {
  return {{"role", to_string(message.role)}, {"text", shown(message)}};
}

Json to_json(const AnswerHabits& habits) {
  return {{"tries", habits.tries},
          {"forms", habits.forms},
          {"temperature", habits.temperature},
          {"phases", habits.phases}};
}

// Reads the habits. A recording without habits is of a session without tries.
AnswerHabits habits_from(const Json& json) {
  AnswerHabits habits;
  habits.tries = static_cast<int>(number_of(json, "tries"));
  habits.temperature = real_of(json, "temperature", habits.temperature);
  habits.phases = member(json, "phases") != Json(false);
  for (const Json& form : member(json, "forms")) {
    if (form.is_string()) habits.forms.push_back(form.get<std::string>());
  }
  return habits;
}

Json to_json(const Reply& reply) {
  Json json = {{"text", reply.text},
               {"stop", to_string(reply.stop)},
               {"prompt_tokens", reply.usage.prompt_tokens},
               {"cached_tokens", reply.usage.cached_tokens},
               {"expected_cached_tokens", reply.expected_cached_tokens},
               {"generated_tokens", reply.usage.generated_tokens}};
  if (reply.usage.cache_written_tokens > 0)
    json["cache_written_tokens"] = reply.usage.cache_written_tokens;
  if (!reply.thinking.empty()) json["thinking"] = reply.thinking;
  if (!reply.discarded.empty()) json["discarded"] = reply.discarded;
  return json;
}

Reply to_reply(const Json& json) {
  Reply reply;
  reply.text = text_of(json, "text");
  reply.thinking = text_of(json, "thinking");
  const std::string stop = text_of(json, "stop");
  for (const StopReason reason : {StopReason::kLimit, StopReason::kLoop}) {
    if (stop == to_string(reason)) reply.stop = reason;
  }
  for (const Json& tokens : member(json, "discarded")) {
    if (tokens.is_number_integer()) reply.discarded.push_back(tokens.get<long long>());
  }
  reply.usage.prompt_tokens = number_of(json, "prompt_tokens");
  reply.usage.cached_tokens = number_of(json, "cached_tokens");
  reply.usage.generated_tokens = number_of(json, "generated_tokens");
  reply.usage.cache_written_tokens = number_of(json, "cache_written_tokens");
  reply.expected_cached_tokens = number_of(json, "expected_cached_tokens", -1);
  return reply;
}

// Returns the first differing line of two texts, each side truncated.
std::string first_difference(std::string_view recorded, std::string_view now) {
  const auto excerpt = [](const std::vector<std::string_view>& lines, std::size_t i) {
    return i < lines.size() ? std::string(truncate_utf8(lines[i], 160)) : std::string("(nothing)");
  };
  const auto before = split_lines(recorded);
  const auto after = split_lines(now);
  std::size_t i = 0;
  while (i < before.size() && i < after.size() && before[i] == after[i]) ++i;
  return fmt::format("line {}\n  recorded: {}\n  now:      {}", i + 1, excerpt(before, i),
                     excerpt(after, i));
}

}  // namespace

std::string_view to_string(StopReason reason) {
  constexpr std::string_view kNames[] = {"end", "limit", "loop"};
  return kNames[static_cast<int>(reason)];
}

Result<ModelInfo> RecordingModel::open() {
  PEDRO_TRY(ModelInfo info, inner_->open());
  Json header = {{"type", "recording"},
                 {"version", kVersion},
                 {"model", info.name},
                 {"context_tokens", info.context_tokens},
                 {"grammar_enforced", info.can.grammar},
                 {"format", info.format},
                 {"has_tools", info.has_tools},
                 {"syntax", to_string(info.syntax)},
                 {"takes_bodies", info.takes_bodies},
                 {"person", info.is_person},
                 {"counts_exactly", inner_->counts_exactly()}};
  if (habits_) header["answers"] = to_json(habits_(info));
  const Status written = files_->write_atomic(path_, to_line(header) + "\n", 0600);
  if (!written) return written.error().at("-record");
  return info;
}

std::size_t unchanged_messages(std::span<const std::size_t> origins) {
  std::size_t count = 0;
  while (count < origins.size() && origins[count] == count) ++count;
  return count;
}

Result<std::optional<long long>> RecordingModel::count_prompt(const GenerateRequest& request) {
  Result<std::optional<long long>> count = inner_->count_prompt(request);
  if (count) counts_.push_back(count->value_or(-1));
  return count;
}

long long RecordingModel::count_text(std::string_view text) {
  counts_.push_back(inner_->count_text(text));
  return counts_.back();
}

Result<std::size_t> RecordingModel::together(std::span<const GenerateRequest> requests) {
  Result<std::size_t> count = inner_->together(requests);
  if (count) together_ = *count;
  return count;
}

Status RecordingModel::compacted(const ChatRequest& chat, std::span<const std::size_t> origins) {
  if (Status done = inner_->compacted(chat, origins); !done) return done;
  recorded_ = std::min(recorded_, unchanged_messages(origins));
  return {};
}

// Records only the question of an aside request: the surrounding calls record the conversation.
Status RecordingModel::record(const GenerateRequest& request, const Reply& reply, Asked where) {
  const std::vector<ChatMessage>& messages = request.chat.messages;
  Json turns = Json::array();
  if (where == Asked::kAside) {
    turns.push_back(turn_json(messages.back()));
  } else {
    for (; recorded_ < messages.size(); ++recorded_) {
      turns.push_back(turn_json(messages[recorded_]));
    }
  }
  Json line = {{"type", where == Asked::kAside ? "aside" : "call"},
               {"turns", std::move(turns)},
               {"tools", tools_hash(request)},
               {"temperature", request.temperature},
               {"counts", std::exchange(counts_, {})},
               {"reply", to_json(reply)}};
  if (const std::size_t together = std::exchange(together_, 1); together > 1) {
    line["together"] = together;
  }
  const Status written = files_->append(path_, to_line(line) + "\n");
  if (!written) return written.error().at("-record");
  return {};
}

Result<Reply> RecordingModel::generate(const GenerateRequest& request) {
  Result<Reply> reply = inner_->generate(request);
  if (!reply) return reply;
  const Status written = record(request, *reply, Asked::kInConversation);
  return written ? std::move(reply) : written.error();
}

Result<Reply> RecordingModel::ask_aside(const GenerateRequest& request) {
  Result<Reply> reply = inner_->ask_aside(request);
  if (!reply) return reply;
  const Status written = record(request, *reply, Asked::kAside);
  return written ? std::move(reply) : written.error();
}

Status RecordingModel::restore(const GenerateRequest& request, const Reply& reply, Asked where) {
  const Status restored = inner_->restore(request, reply, where);
  return restored ? record(request, reply, where) : restored;
}

Result<ModelInfo> ReplayModel::open() {
  ModelInfo info;
  int number = 0;
  for (const std::string_view line : split_lines(text_)) {
    ++number;
    const std::string place = fmt::format("{}:{}", name_, number);
    const Result<Json> json = parse_json(line);
    if (!json) return Error{ErrorKind::kModel, json.error().message}.at(place);
    if (number == 1) {
      if (text_of(*json, "type") != "recording" || number_of(*json, "version") != kVersion) {
        return Error{ErrorKind::kModel, fmt::format("not a recording of version {}", kVersion)}.at(
            place);
      }
      info = {text_of(*json, "model"),
              "replay",
              number_of(*json, "context_tokens", 32768),
              {.grammar = truth_of(*json, "grammar_enforced")},
              text_of(*json, "format", "generic"),
              truth_of(*json, "has_tools"),
              CallSyntax::kJson,
              truth_of(*json, "takes_bodies")};
      const auto syntax = call_syntax_named(text_of(*json, "syntax", "json"));
      if (!syntax) {
        return Error{ErrorKind::kModel, "syntax: expected a name from docs/formats.md"}.at(place);
      }
      info.syntax = *syntax;
      syntax_ = info.syntax;
      counts_exactly_ = truth_of(*json, "counts_exactly");
      info.is_person = truth_of(*json, "person");
      info.answers = habits_from(member(*json, "answers"));
    } else if (const Status added = add_call(*json); !added) {
      return added.error().at(place);
    }
  }
  if (number == 0) return Error{ErrorKind::kModel, name_ + ": the recording is empty"};
  text_ = std::string();  // frees memory: the recording contains all requests
  return info;
}

Status ReplayModel::add_call(const Json& line) {
  Call call;
  call.type = text_of(line, "type");
  if ((call.type != "call" && call.type != "aside") || !member(line, "turns").is_array()) {
    return Error{ErrorKind::kModel, "expected a call"};
  }
  for (const Json& turn : member(line, "turns")) {
    call.turns.push_back({text_of(turn, "role"), text_of(turn, "text")});
  }
  call.tools = text_of(line, "tools");
  for (const Json& count : member(line, "counts")) {
    if (count.is_number_integer()) call.counts.push_back(count.get<long long>());
  }
  call.together = static_cast<std::size_t>(std::max(1LL, number_of(line, "together", 1)));
  call.reply = to_reply(member(line, "reply"));
  calls_.push_back(std::move(call));
  return {};
}

// Returns recorded counts, so that a replay compacts the same messages at the same times.
std::optional<long long> ReplayModel::next_count() {
  if (next_call_ >= calls_.size()) return std::nullopt;
  const std::vector<long long>& counts = calls_[next_call_].counts;
  if (next_count_ >= counts.size()) return std::nullopt;
  const long long count = counts[next_count_++];
  return count < 0 ? std::nullopt : std::optional(count);
}

Result<std::optional<long long>> ReplayModel::count_prompt(const GenerateRequest& /*request*/) {
  return next_count();
}

long long ReplayModel::count_text(std::string_view text) {
  return next_count().value_or(Model::count_text(text));
}

Result<std::size_t> ReplayModel::together(std::span<const GenerateRequest> requests) {
  const std::size_t count = next_call_ < calls_.size() ? calls_[next_call_].together : 1;
  return std::min(count, std::max<std::size_t>(1, requests.size()));
}

Status ReplayModel::compacted(const ChatRequest& /*chat*/, std::span<const std::size_t> origins) {
  compared_ = std::min(compared_, unchanged_messages(origins));
  return {};
}

Result<Reply> ReplayModel::generate(const GenerateRequest& request) {
  Result<Reply> reply = answer("call", request, compared_);
  if (reply) compared_ = request.chat.messages.size();
  return reply;
}

// Replays the recorded reply and compares it with `reply`.
Status ReplayModel::restore(const GenerateRequest& request, const Reply& reply, Asked where) {
  const auto on_notice = std::exchange(on_notice_, nullptr);  // already reported
  const Result<Reply> recorded = where == Asked::kAside ? ask_aside(request) : generate(request);
  on_notice_ = on_notice;
  if (!recorded) return recorded.error();
  if (recorded->text == reply.text) return {};
  return Error{ErrorKind::kModel, name_ + ": the job began with another recording"};
}

// Fails if the recorded request failed.
Result<Reply> ReplayModel::ask_aside(const GenerateRequest& request) {
  if (next_call_ >= calls_.size() || calls_[next_call_].type != "aside") {
    return Error{ErrorKind::kModel, "the recording has no answer to an aside request"};
  }
  return answer("aside", request, request.chat.messages.size() - 1);
}

// Compares the messages from index `from` on.
Result<Reply> ReplayModel::answer(std::string_view type, const GenerateRequest& request,
                                  std::size_t from) {
  const auto diverged = [this](std::string_view what) {
    return Error{ErrorKind::kModel,
                 fmt::format("{}: the run differs from the recording at call {} of {}: {}", name_,
                             next_call_ + 1, calls_.size(), what)};
  };
  if (next_call_ >= calls_.size()) return diverged("the recording ends here");
  const Call& call = calls_[next_call_];
  if (call.type != type)
    return diverged(call.type == "aside" ? "an aside request is recorded here"
                                         : "no aside request is recorded here");
  const std::vector<ChatMessage>& messages = request.chat.messages;
  const std::size_t end = from + call.turns.size();
  if (messages.size() != end) {
    return diverged(
        fmt::format("{} messages were recorded, there are {} now", end, messages.size()));
  }
  for (const Turn& recorded : call.turns) {
    const ChatMessage& message = messages[from++];
    const std::string now = shown(message);
    if (to_string(message.role) != recorded.role) {
      return diverged(fmt::format("message {} has the role {}, recorded is {}", from,
                                  to_string(message.role), recorded.role));
    }
    if (now == recorded.text) continue;
    return diverged(fmt::format("{} message {}, {}", to_string(message.role), from,
                                first_difference(recorded.text, now)));
  }
  if (call.tools != tools_hash(request)) {
    return diverged("the tools or the output schema have changed");
  }
  ++next_call_;
  next_count_ = 0;
  Reply reply = call.reply;
  for (const long long tokens : reply.discarded) {
    if (on_notice_) on_notice_(resample_notice(tokens));
  }
  reply.parts = parse_calls(reply.text, syntax_, request.calls, CallChecks::kNothing);
  return reply;
}

}  // namespace pedro
