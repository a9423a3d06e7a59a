#include "messages_api/reply_error.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTypeBytes = 80;
constexpr std::size_t kMaxMessageBytes = 400;
constexpr std::size_t kMaxReasonBytes = 100;

std::string shown(std::string_view text, std::size_t max_bytes) {
  return make_printable(truncate_utf8(text, max_bytes));
}

}  // namespace

std::string read_server_error(ReplyJson& json) {
  std::string type;
  std::string message;
  if (json.skip_null()) return "";
  bool is_empty = true;
  if (json.kind() == JsonCursor::Kind::kText) {
    message = json.text();
    is_empty = message.empty();
  } else {
    json.members([&](std::string_view name) {
      is_empty = false;
      const bool is_text = json.kind() == JsonCursor::Kind::kText;
      if (name == "type" && is_text) {
        type = json.text();
      } else if (name == "message" && is_text) {
        message = json.text();
      } else {
        return false;
      }
      return true;
    });
  }
  if (is_empty) return "";
  if (message.empty()) message = "an error without a message";
  const std::string reason = shown(message, kMaxMessageBytes);
  return type.empty() ? reason : fmt::format("{}: {}", shown(type, kMaxTypeBytes), reason);
}

std::string shown_stop_reason(std::string_view reason) {
  return shown(reason, kMaxReasonBytes);
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
