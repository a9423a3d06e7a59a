#pragma once

#include <cstdint>

namespace pedro {

/// What differs between the versions of Mistral's format, as the library mistral-common has it. A
/// row of the table in format_family.cc.
struct MistralRules {
  enum class System : std::uint8_t {
    kFirstUser,  ///< all of them together, in front of the first user's text
    kLastUser,   ///< the same with the last one
    kInPlace     ///< [SYSTEM_PROMPT]…[/SYSTEM_PROMPT], each where it stands
  };
  enum class Tools : std::uint8_t {
    kNone,      ///< not written at all
    kLastUser,  ///< right before the last user's [INST]
    kFirstUser
  };
  enum class Calls : std::uint8_t {
    kNone,          ///< there cannot be any
    kList,          ///< [TOOL_CALLS] and a JSON array of {name, arguments}
    kListWithIds,   ///< the same with "id" behind the arguments
    kNamedWithIds,  ///< [TOOL_CALLS]name[CALL_ID]id[ARGS]{…}, for each call
    kNamed          ///< the same without ids
  };
  enum class Results : std::uint8_t {
    kNone,
    kList,        ///< [{"name": …, "content": JSON}]
    kObject,      ///< {"content": JSON, "call_id": …}
    kTextWithId,  ///< id[TOOL_CONTENT]text
    kText
  };
  enum class CallIds : std::uint8_t {
    kAny,
    kNine,  ///< exactly nine letters and digits
    kGiven  ///< any, but there has to be one
  };

  bool sentencepiece = false;  ///< a space before each text, by the vocabulary itself
  bool inst_is_text = false;   ///< "[INST] " and " [/INST]" are text, one with what they enclose
  System system = System::kInPlace;
  Tools tools = Tools::kLastUser;
  Calls calls = Calls::kListWithIds;
  Results results = Results::kTextWithId;
  CallIds call_ids = CallIds::kNine;
  /// Calls and results before the last user's turn are left out.
  bool forgets_calls = false;
  /// At the end of an assistant's text.
  bool keeps_blanks = false;
  /// Where somebody else begins, an empty user's turn is put in front.
  bool begins_with_user = false;
  /// An assistant's turn may have both.
  bool text_with_calls = true;
  /// Results are written in the order of the calls, and each has to be of a call, by its id.
  bool results_in_order = false;
  /// A conversation may have it in an assistant's message.
  bool accepts_thinking = false;
  /// [THINK]…[/THINK]
  bool writes_thinking = false;
};

}  // namespace pedro
