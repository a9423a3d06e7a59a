#pragma once

#include <cstddef>
#include <string_view>

#include "chat/chat_request.h"

namespace pedro {

/// Ids of calls as a family takes them: so many ASCII letters and digits.
struct CallIdForm {
  std::size_t length = 9;  ///< at most 10
};

bool is_call_id(std::string_view id, const CallIdForm& form);

/// Replaces ids that do not have the form, of calls and of results alike, by ones made of a hash of
/// them. No two ids become one: an id that is already taken, be it by a replacement, gets another.
/// What an id becomes depends on it and on the ids before it, so a conversation that grows keeps
/// what it had. Calls and results without an id stay without.
void map_call_ids(ChatRequest& request, const CallIdForm& form);

}  // namespace pedro
