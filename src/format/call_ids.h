#pragma once

#include <cstddef>
#include <string_view>

#include "chat/chat_request.h"

namespace pedro {

/// Ids of calls as a family takes them.
struct CallIdForm {
  enum class Characters {
    kAlphanumeric,  ///< ASCII letters and digits
    kWord,          ///< these, '_' and '-'
    kVisible        ///< all of ASCII that is neither a blank nor a control character
  };

  std::size_t length = 9;      ///< at most 10
  std::size_t max_length = 0;  ///< where any length from 1 to this will do, and `length` is made
  Characters characters = Characters::kAlphanumeric;
  bool required = false;  ///< calls and results without an id get one
};

bool is_call_id(std::string_view id, const CallIdForm& form);

/// Replaces ids that do not have the form, of calls and of results alike, by ones made of a hash of
/// them. No two ids become one: an id that is already taken, be it by a replacement, gets another.
/// What an id becomes depends on it and on the ids before it, so a conversation that grows keeps
/// what it had. Calls and results without an id stay without, unless the form requires one: then a
/// call gets one made of its place, and a result that of the first call that waits for one.
void map_call_ids(ChatRequest& request, const CallIdForm& form);

}  // namespace pedro
