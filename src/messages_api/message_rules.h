#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "chat/call_ids.h"
#include "chat/chat_request.h"

namespace pedro {

/// Requirements of message servers on a conversation, beyond those that its types ensure.
struct MessageRules {
  CallIdForm ids;
  bool ids_once = false;    ///< an id is unique in the conversation; otherwise in its turn
  bool turns = false;       ///< consecutive user messages and results form one turn: see
                            ///< anthropic_messages.h
  bool tools_once = false;  ///< tool names are unique
};

/// Checks that a server accepts the conversation. Error (kUsage): the reason against it,
/// "messages[3]: …". The rules are:
///   - the last message is not an answer of the assistant, except a prefix without calls.
///   - calls have ids of the form, and names of 1 to 64 letters, digits, '_' and '-'. Their
///     arguments are a JSON object or nothing.
///   - each result answers a call of the last assistant message. All calls have one before the
///     next message of another role (with `turns`: before the assistant's next message)
///   - tools have such names too, and a JSON object as parameters, with no type or type "object".
///     A tool of tool_choice exists.
///   - with `turns`: the first turn is the user's, and no system message follows it. A prefix has
///     a text that does not end with a blank.
Status check_messages(const MessageRules& rules, const ChatRequest& request);

/// Returns true if the message has a text that is not blank.
bool has_text(const ChatMessage& message);

/// Returns `text` as a JSON string; invalid UTF-8 becomes U+FFFD.
std::string json_string(std::string_view text);

/// Returns true if `json` is an object of RFC 8259, at most 128 levels deep. It can be copied
/// verbatim into other JSON.
bool is_json_object(std::string_view json);

}  // namespace pedro
