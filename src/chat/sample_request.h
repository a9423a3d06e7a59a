#pragma once

#include <string>
#include <utility>
#include <vector>

#include "chat/chat_request.h"

namespace pedro {

/// Messages of synthetic conversations that show how a format writes them.

inline ChatMessage system_message(std::string text) {
  return text_message(Role::kSystem, std::move(text));
}
inline ChatMessage user_message(std::string text) {
  return text_message(Role::kUser, std::move(text));
}
inline ChatMessage answer_message(std::string text) {
  return text_message(Role::kAssistant, std::move(text));
}
/// Returns a turn with calls, and with text before them unless it is "".
inline ChatMessage calling_message(std::vector<RequestedCall> calls, std::string text = "") {
  ChatMessage message = answer_message(std::move(text));
  message.calls = std::move(calls);
  return message;
}
inline ChatMessage with_thinking(std::string thinking, ChatMessage message) {
  message.content.insert(message.content.begin(),
                         {ContentChunk::Kind::kThinking, std::move(thinking)});
  return message;
}
inline ChatRequest conversation(std::vector<ChatMessage> messages,
                                std::vector<DeclaredTool> tools = {}) {
  ChatRequest request;
  request.messages = std::move(messages);
  request.tools = std::move(tools);
  return request;
}
/// Returns the result of `call`.
inline ChatMessage result_message(const RequestedCall& call, std::string text) {
  ChatMessage message = text_message(Role::kTool, std::move(text));
  message.call_id = call.id;
  return message;
}

}  // namespace pedro
