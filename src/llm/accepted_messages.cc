#include "llm/accepted_messages.h"

#include <string>
#include <utility>

namespace pedro {

bool drop_text_beside_calls(ChatRequest& chat) {
  bool found = false;
  for (ChatMessage& message : chat.messages) {
    if (message.calls.empty()) continue;
    found |= std::erase_if(message.content, [](const ContentChunk& chunk) {
               return chunk.kind == ContentChunk::Kind::kText;
             }) > 0;
  }
  return found;
}

void join_users_to_results(std::vector<ChatMessage>& messages) {
  std::vector<ChatMessage> joined;
  for (ChatMessage& message : messages) {
    const bool follows = !joined.empty() && joined.back().role == Role::kTool;
    if (!follows || message.role != Role::kUser) {
      joined.push_back(std::move(message));
      continue;
    }
    std::vector<ContentChunk>& result = joined.back().content;
    if (result.empty()) result.emplace_back();
    result.back().text += (result.back().text.empty() ? "" : "\n\n") + text_of(message);
  }
  messages = std::move(joined);
}

}  // namespace pedro
