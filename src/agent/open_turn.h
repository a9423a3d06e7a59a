#pragma once

#include <string>
#include <vector>

#include "chat/chat_request.h"
#include "context/conversation.h"

namespace pedro {

/// What the model will be told next, while it is put together: results of declared tools, each a
/// message of its own, and the user's message. A value.
class OpenTurn {
 public:
  /// A result as a message of its own; it has no text yet.
  void add_result(ChatMessage message, WrittenPart part);

  /// An empty line and the part at the end of the user's message, or the part at its beginning.
  void add_paragraph(WrittenPart part);

  /// The part behind all there is: in the last result's message, where there is one and no user's
  /// message behind it. `apart`: with an empty line between.
  void add_to_last(WrittenPart part, bool apart);

  /// Appends the messages, and is empty again.
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
