#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "chat/chat_request.h"
#include "format/call_ids.h"

namespace pedro {

/// What servers that speak in messages ask of a conversation, beyond what cannot be written
/// wrongly.
struct MessageRules {
  CallIdForm ids;
  bool ids_once = false;    ///< an id is of one call in the conversation; otherwise in its turn
  bool turns = false;       ///< users' messages and results behind each other are one turn: see
                            ///< anthropic_messages.h
  bool tools_once = false;  ///< no two tools have a name
};

/// Whether a server takes the conversation. An Error (kUsage) is the reason against it:
/// "messages[3]: …". Held are:
///   - it does not end with the assistant's answer, unless that is a prefix; a prefix has no calls
///   - calls have ids of the form, names of 1 to 64 letters, digits, '_' and '-', and a JSON object
///     as arguments, or none
///   - each result is that of a call of the assistant's message before it, and all calls have one
///     before anybody else speaks (with `turns`: before the assistant does)
///   - tools have such names too, and an object of type "object", if any is said, as parameters; a
///     tool that is to be called is there
///   - with `turns`: the first turn is the user's, no system message stands behind it, and a prefix
///     has a text that does not end with a blank
Status check_messages(const MessageRules& rules, const ChatRequest& request);

/// Whether a text of the message is more than blanks.
bool has_text(const ChatMessage& message);

/// `text` as JSON; invalid UTF-8 becomes U+FFFD.
std::string json_string(std::string_view text);

/// Whether `json` is an object of RFC 8259 and can stand in other JSON as it is; at most 128 deep.
bool is_json_object(std::string_view json);

}  // namespace pedro
