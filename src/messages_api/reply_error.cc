#include "messages_api/reply_error.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTypeBytes = 80;
constexpr std::size_t kMaxMessageBytes = 400;
constexpr std::size_t kMaxReasonBytes = 100;

std::string shown(std::string_view text, std::size_t max_bytes) {
  return make_printable(truncate_utf8(text, max_bytes));
}

struct StopWord {
  std::string_view word;
  StopCause cause;
};

constexpr StopWord kStopWords[] = {
    {"", StopCause::kNotSaid},
    {"null", StopCause::kNotSaid},
    {"stop", StopCause::kEnd},
    {"end_turn", StopCause::kEnd},
    {"stop_sequence", StopCause::kEnd},
    {"tool_calls", StopCause::kCalls},
    {"function_call", StopCause::kCalls},
    {"tool_use", StopCause::kCalls},
    {"length", StopCause::kLength},
    {"max_tokens", StopCause::kLength},
    {kWindowIsFull, StopCause::kLength},
    {"content_filter", StopCause::kRefused},
    {"refusal", StopCause::kRefused},
};

StopCause cause_of_stop(std::string_view reason) {
  const auto* const found = std::find_if(std::begin(kStopWords), std::end(kStopWords),
                                         [&](const StopWord& one) { return one.word == reason; });
  return found == std::end(kStopWords) ? StopCause::kOther : found->cause;
}

// Reads a value. Returns false for null, false, 0 and empty values.
bool read_whether_said(ReplyJson& json) {
  constexpr std::string_view kNothing[] = {"", "false", "0", "\"\"", "{}", "[]"};
  return std::find(std::begin(kNothing), std::end(kNothing), json.raw()) == std::end(kNothing);
}

}  // namespace

std::string read_server_error(ReplyJson& json) {
  std::string type;
  std::string message;
  bool is_said = false;
  if (json.kind() == JsonCursor::Kind::kText) {
    message = json.text();
  } else if (json.kind() != JsonCursor::Kind::kObject) {
    is_said = read_whether_said(json);
  } else {
    json.members([&](std::string_view name) {
      const bool is_text = json.kind() == JsonCursor::Kind::kText;
      if (name == "type" && is_text) {
        type = json.text();
      } else if (name == "message" && is_text) {
        message = json.text();
      } else {
        is_said |= read_whether_said(json);
      }
      return true;
    });
  }
  if (!is_said && type.empty() && message.empty()) return "";
  if (message.empty()) message = "an error without a message";
  const std::string reason = shown_error(message);
  return type.empty() ? reason : fmt::format("{}: {}", shown(type, kMaxTypeBytes), reason);
}

std::string shown_error(std::string_view message) {
  return shown(message, kMaxMessageBytes);
}

void note_stop(ModelReply& reply, std::string_view reason) {
  const StopCause cause = cause_of_stop(reason);
  if (cause == StopCause::kNotSaid) return;
  const bool is_partial = cause == StopCause::kLength || cause == StopCause::kRefused;
  if (reply.stop != StopCause::kNotSaid && !is_partial) return;
  reply.stop = cause;
  reply.stop_reason = shown(reason, kMaxReasonBytes);
}

void end_without_reason(ModelReply& reply) {
  const ChatMessage& message = reply.message;
  const bool has_text = std::any_of(message.content.begin(), message.content.end(),
                                    [](const ContentChunk& chunk) { return !chunk.text.empty(); });
  if (reply.stop != StopCause::kNotSaid || (!has_text && message.calls.empty())) return;
  reply.stop = message.calls.empty() ? StopCause::kEnd : StopCause::kCalls;
}

Error too_long(std::size_t bytes, const ReplyLimits& limits) {
  return {ErrorKind::kModel,
          fmt::format("{} bytes, more than the limit of {}", bytes, limits.max_bytes)};
}

Error cut_error(std::size_t events, std::string_view reason) {
  if (events == 0) return {ErrorKind::kModel, "expected an object, or events with \"data:\""};
  return {ErrorKind::kModel,
          fmt::format("the reply is cut off: {} events, and none has a \"{}\"", events, reason)};
}

}  // namespace pedro
