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

Status check_messages(const ChatRequest& request,
                      const std::function<std::string(const ChatMessage&)>& complaint) {
  const auto& messages = request.messages;
  if (messages.empty()) return Error{ErrorKind::kUsage, "messages: the list is empty"};
  const ChatMessage& last = messages.back();
  if (last.role == Role::kAssistant && !last.prefix) return already_answered(messages.size() - 1);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const ChatMessage& message = messages[i];
    if (message.prefix && i + 1 < messages.size()) {
      return wrong_message(i, "only the last message can be a prefix");
    }
    if (message.prefix && !message.calls.empty()) return wrong_message(i, "a prefix has no calls");
    const std::string reason = complaint(message);
    if (!reason.empty()) return wrong_message(i, reason);
  }
  return {};
}

}  // namespace pedro
