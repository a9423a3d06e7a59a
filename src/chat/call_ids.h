#pragma once

#include <cstddef>
#include <string_view>

#include "chat/chat_request.h"

namespace pedro {

/// The form of call ids in a family.
struct CallIdForm {
  enum class Characters {
    kAlphanumeric,  ///< ASCII letters and digits
    kWord,          ///< these, '_' and '-'
    kVisible,       ///< printable ASCII without the blank
    kDigits
  };

  std::size_t length = 9;      ///< at most 10
  std::size_t max_length = 0;  ///< if not 0, ids of 1 to this length are valid; new ones have
                               ///< `length`
  Characters characters = Characters::kAlphanumeric;
  bool required = false;  ///< calls and results without an id get one, equal ids are separated
  bool once = false;      ///< with `required`: in the conversation, otherwise in each message
};

bool is_call_id(std::string_view id, const CallIdForm& form);

/// Replaces invalid ids of calls and results by ids derived from their hash. Different ids stay
/// different: if an id is taken, another one is derived. The replacement depends only on the id and
/// the ids before it, so a growing conversation keeps its ids. Calls and results without an id keep
/// none, unless the form requires one. Then a call gets an id from its position, and a result that
/// of the first call without a result. Calls with equal ids get different ones too.
void map_call_ids(ChatRequest& request, const CallIdForm& form);

}  // namespace pedro
