#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "chat/chat_request.h"

namespace pedro {

/// The separator of joined texts.
inline constexpr std::string_view kEmptyLine = "\n\n";

/// Returns all chunks of a kind, joined by empty lines.
inline std::string text_of_kind(const ChatMessage& message, ContentChunk::Kind kind) {
  std::vector<std::string> texts;
  for (const ContentChunk& chunk : message.content) {
    if (chunk.kind == kind) texts.push_back(chunk.text);
  }
  return join(texts, kEmptyLine);
}

}  // namespace pedro
