#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "chat/message.h"

namespace pedro {

/// Tracks the new text of a streamed reply.
class WrittenText {
 public:
  /// Returns the new text of the message and its calls since the last call.
  std::string take_new(const ChatMessage& message) {
    std::string fresh;
    std::size_t bytes = 0;
    for (const ContentChunk& chunk : message.content) add(fresh, bytes, chunk.text, content_);
    content_ = std::max(content_, bytes);
    bytes = 0;
    for (const RequestedCall& call : message.calls) add(fresh, bytes, call.arguments, calls_);
    calls_ = std::max(calls_, bytes);
    return fresh;
  }

 private:
  // Adds the part of `text` after `seen`. `bytes` is the size of everything before `text`.
  static void add(std::string& fresh, std::size_t& bytes, const std::string& text,
                  std::size_t seen) {
    if (bytes + text.size() > seen) fresh += text.substr(seen > bytes ? seen - bytes : 0);
    bytes += text.size();
  }

  std::size_t content_ = 0;
  std::size_t calls_ = 0;
};

}  // namespace pedro
