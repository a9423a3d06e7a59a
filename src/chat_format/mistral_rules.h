#pragma once

#include <cstdint>

namespace pedro {

/// The differences between the versions of Mistral's format, as in the library mistral-common. Each
/// version is a row of the table in format_family.cc.
struct MistralRules {
  enum class System : std::uint8_t {
    kFirstUser,  ///< joined, before the first user's text
    kLastUser,   ///< joined, before the last user's text
    kInPlace     ///< [SYSTEM_PROMPT]…[/SYSTEM_PROMPT], each in its place
  };
  enum class Tools : std::uint8_t {
    kNone,      ///< not written
    kLastUser,  ///< directly before the last user's [INST]
    kFirstUser
  };
  enum class Calls : std::uint8_t {
    kNone,          ///< not possible
    kList,          ///< [TOOL_CALLS] and a JSON array of {name, arguments}
    kListWithIds,   ///< the same with "id" after the arguments
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
    kGiven  ///< any non-empty id
  };

  bool sentencepiece = false;  ///< the vocabulary puts a space before each text
  bool inst_is_text = false;   ///< "[INST] " and " [/INST]" are text, joined with the text between
  System system = System::kInPlace;
  Tools tools = Tools::kLastUser;
  Calls calls = Calls::kListWithIds;
  Results results = Results::kTextWithId;
  CallIds call_ids = CallIds::kNine;
  /// Omits calls and results before the last user's turn.
  bool forgets_calls = false;
  /// Keeps blanks at the end of an assistant's text.
  bool keeps_blanks = false;
  /// Inserts an empty user's turn if another role begins.
  bool begins_with_user = false;
  /// Allows text and calls in the same turn of the assistant.
  bool text_with_calls = true;
  /// Writes results in the order of the calls. Each result needs a call with its id.
  bool results_in_order = false;
  /// Allows thinking in an assistant's message.
  bool accepts_thinking = false;
  /// Writes thinking: [THINK]…[/THINK]
  bool writes_thinking = false;
};

}  // namespace pedro
