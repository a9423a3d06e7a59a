#pragma once

#include <string>
#include <vector>

#include "chat/chat_request.h"
#include "context/conversation.h"

namespace pedro {

/// The next messages to the model, under construction: results of declared tools, each a separate
/// message, and the user message. A value.
class OpenTurn {
 public:
  /// Adds a result as a separate message. `message` has no text yet.
  void add_result(ChatMessage message, WrittenPart part);

  /// Adds a paragraph to the user message, after an empty line unless it is the first.
  void add_paragraph(WrittenPart part);

  /// Adds a part at the end: to the user message, or to the last result if there is no user
  /// message. `apart`: separates them with an empty line.
  void add_to_last(WrittenPart part, bool apart);

  /// Appends the messages to the conversation and clears this turn.
  void close_into(Conversation& conversation);

 private:
  struct Result {
    ChatMessage message;
    std::vector<WrittenPart> parts;
  };
  std::vector<Result> results_;
  std::vector<WrittenPart> user_;
};

}  // namespace pedro
