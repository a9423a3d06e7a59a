#include "agent/logged_run.h"

#include <algorithm>

#include "agent/answers.h"
#include "base/clock.h"
#include "base/hash.h"
#include "llm/recording.h"

namespace pedro {
namespace {

// Returns the hash of the messages from index `first`.
std::string hash_of(std::span<const ChatMessage> messages, std::size_t first) {
  std::uint64_t hash = kHashSeed;
  const auto add = [&hash](std::string_view text) {
    hash = hash_bytes(std::string_view("", 1), hash_bytes(text, hash));
  };
  for (; first < messages.size(); ++first) {
    const ChatMessage& message = messages[first];
    add(to_string(message.role));
    add(text_of(message));
    for (const RequestedCall& call : message.calls) {
      add(call.id);
      add(call.name);
      add(call.arguments);
    }
  }
  return to_hex(hash);
}

// Returns true if an error is logged as an answer. The job continues after it, with a shorter
// prompt or without the reply.
bool is_answer(const Error& error, Asked where) {
  return error.overflow || (where == Asked::kAside && error.kind != ErrorKind::kInterrupted);
}

Json to_json(const Error& error) {
  Json json = {{"error", error.message}, {"kind", static_cast<int>(error.kind)}};
  if (error.overflow) {
    json["tokens"] = error.overflow->tokens;
    json["window"] = error.overflow->window;
  }
  return json;
}

Error error_from(const Json& json) {
  Error error{static_cast<ErrorKind>(number_of(json, "kind")), text_of(json, "error")};
  if (json.contains("window")) {
    error.overflow = Overflow{number_of(json, "tokens"), number_of(json, "window")};
  }
  return error;
}

}  // namespace

Result<Reply> LoggedModel::answer(const GenerateRequest& request, Asked where) {
  const bool aside = where == Asked::kAside;
  const Question question = aside ? Question::kAside : Question::kReply;
  const std::vector<ChatMessage>& messages = request.chat.messages;
  const std::string prompt = hash_of(messages, aside ? messages.size() - 1 : hashed_);
  if (!aside) hashed_ = messages.size();
  PEDRO_TRY(std::optional<Json> earlier, log_.next(question));
  if (earlier) {
    if (text_of(*earlier, "prompt") != prompt) {
      return Error{ErrorKind::kUsage,
                   "the conversation differs from the stopped job's: prompts or settings have "
                   "changed since; start a new job"};
    }
    if (earlier->contains("error")) return error_from(*earlier);
    Reply reply = reply_from(*earlier);
    PEDRO_RETURN_IF_ERROR(target().restore(request, reply, where));
    return reply;
  }
  const long long begin_ms = RealClock().now_ms();
  Result<Reply> reply = aside ? target().ask_aside(request) : target().generate(request);
  if (on_wait_) on_wait_(begin_ms, RealClock().now_ms());
  if (!reply && !is_answer(reply.error(), where)) return reply;
  Json answer = reply ? pedro::to_json(*reply) : to_json(reply.error());
  answer["prompt"] = prompt;
  PEDRO_RETURN_IF_ERROR(log_.add(question, std::move(answer)));
  return reply;
}

Result<Reply> LoggedModel::generate(const GenerateRequest& request) {
  return answer(request, Asked::kInConversation);
}

Result<Reply> LoggedModel::ask_aside(const GenerateRequest& request) {
  return answer(request, Asked::kAside);
}

Result<std::size_t> LoggedModel::together(std::span<const GenerateRequest> requests) {
  PEDRO_TRY(const std::optional<Json> earlier, log_.next(Question::kTogether));
  if (earlier) {
    const long long count = number_of(*earlier, "count", 1);
    return static_cast<std::size_t>(
        std::clamp(count, 1LL, std::max(1LL, static_cast<long long>(requests.size()))));
  }
  Result<std::size_t> count = target().together(requests);
  if (!count) return count;
  const Status added = log_.add(Question::kTogether, {{"count", *count}});
  return added ? std::move(count) : added.error();
}

void LoggedModel::begin_anew() {
  target().begin_anew();
  hashed_ = 0;
}

Status LoggedModel::compacted(const ChatRequest& chat, std::span<const std::size_t> origins) {
  if (Status done = target().compacted(chat, origins); !done) return done;
  hashed_ = std::min(hashed_, unchanged_messages(origins));
  return {};
}

Result<ToolResult> LoggedTools::run(const ToolCall& call, std::size_t allowance_bytes) {
  NoteStore& notes = context_.notes;
  PEDRO_TRY(const std::optional<Json> earlier, answers_.next(Question::kTool));
  if (earlier) {
    for (const NoteStore::Kept& kept : kept_from(*earlier)) {
      PEDRO_RETURN_IF_ERROR(notes.restore(kept));
    }
    return tool_result_from(*earlier);
  }
  (void)notes.take_new();  // discards texts of removed messages
  Result<ToolResult> result = run_with_hooks(call, allowance_bytes);
  if (!result) return result;
  PEDRO_RETURN_IF_ERROR(answers_.add(Question::kTool, to_json(*result, notes.take_new())));
  return result;
}

Result<ToolResult> LoggedTools::run_with_hooks(const ToolCall& call, std::size_t allowance_bytes) {
  if (hooks_ == nullptr) return run_tool(call, allowance_bytes);
  PEDRO_TRY(std::optional<ToolResult> refused, hooks_->before_call(call, registry_));
  if (refused) return *std::move(refused);
  Result<ToolResult> result = run_tool(call, allowance_bytes);
  if (!result) return result;
  const Status heard = hooks_->after_call(call, registry_, *result);
  return heard ? std::move(result) : heard.error();
}

Result<ToolResult> LoggedTools::run_tool(const ToolCall& call, std::size_t allowance_bytes) {
  // The checks judge an answer, and there may be hundreds.
  const bool is_checked = diagnostics_ != nullptr && !call.by_harness;
  if (!is_checked) return registry_.run(call, allowance_bytes, context_);
  const auto before = diagnostics_->before_call(call, registry_, context_);
  Result<ToolResult> result = registry_.run(call, allowance_bytes, context_);
  if (!result || !before) return result;
  const Status added = diagnostics_->after_call(*before, context_, *result);
  return added ? std::move(result) : added.error();
}

}  // namespace pedro
