#include "chat/conversation_check.h"

#include <fmt/format.h>

namespace pedro {

Error wrong_message(std::size_t index, std::string_view what) {
  return Error{ErrorKind::kUsage, fmt::format("messages[{}]: {}", index, what)};
}

Error cannot_write(std::string_view what) {
  return Error{ErrorKind::kUsage, "this conversation cannot be written: " + std::string(what)};
}

Error already_answered(std::size_t index) {
  return wrong_message(
      index,
      "the last message is the assistant's: expected a user's, a tool's, or \"prefix\": true");
}

Status check_last_message(const ChatRequest& request) {
  const auto& messages = request.messages;
  if (messages.empty()) return Error{ErrorKind::kUsage, "messages: the list is empty"};
  const ChatMessage& last = messages.back();
  if (last.role != Role::kAssistant || last.prefix) return {};
  return already_answered(messages.size() - 1);
}

std::string prefix_complaint(const ChatMessage& message, bool is_last) {
  if (!message.prefix) return "";
  if (!is_last) return "only the last message can be a prefix";
  return message.calls.empty() ? "" : "a prefix has no calls";
}

}  // namespace pedro
