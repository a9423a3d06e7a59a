#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pedro {

/// How a family writes conversations that are turns one behind the other: the pieces of text around
/// contents. A row of families.json.
///
/// In a piece, {{name}} stands for a value; names of `control` are control tokens, and names of
/// `tags` are tokens in vocabularies that have them and text in others. Everything else is template
/// text. Where it is not said otherwise, a piece that is missing is empty.
struct TurnRules {
  /// Where a content goes in a piece.
  static constexpr std::string_view kContent = "{{content}}";

  /// Of which assistant's turns the thinking is written.
  enum class Thinking : std::uint8_t {
    kNever,
    kAfterUser,    ///< of those behind the last user's turn
    kAfterAnswer,  ///< of those behind the last answer, which is a turn without calls
    kAlways
  };

  std::vector<std::string> control;
  std::vector<std::string> tags;
  Thinking thinking_kept = Thinking::kNever;
  bool joins_system = false;  ///< all system messages stand in the head; otherwise the first does
  bool one_call = false;      ///< a turn cannot have more
  std::string date;           ///< what {{date}} and {{day}} are where a request has none
  std::string effort;         ///< {{effort}} likewise

  // Whose contents lose the blanks at both ends; `trims_calling`: of an assistant's with calls.
  bool trims_system = false;
  bool trims_user = false;
  bool trims_assistant = false;
  bool trims_calling = false;
  bool trims_results = false;
  /// Thinking loses the line ends at both ends, and the text behind it those in front.
  bool trims_thinking = false;

  /// A system message without text is one: in a head without tools, and in one with tools.
  bool empty_system = true;
  bool empty_system_with_tools = true;

  /// Texts with {{system}}, {{guide}}, {{date}} as 2024-07-26, {{day}} as 26 Jul 2024, {{effort}}.
  std::string begin;
  std::string head;             ///< with a system message
  std::string head_none;        ///< with neither that nor tools
  std::string head_tools;       ///< with both
  std::string head_tools_only;  ///< with tools alone
  std::string guide;            ///< makes {{tools}} known and says how they are called
  /// One of {{tools}}: {{name}}, {{description}}, {{schema}}, or all of it as {{tool}},
  /// {{function}}, {{tool_indented}}, {{tool_xml}}, {{tool_typescript}}.
  std::string tool;
  std::string tool_between;

  /// In front of the first user's text, where these two are there instead of in a head.
  std::string first_user_system;
  std::string first_user_tools;

  std::string system;  ///< {{content}}; of later ones
  std::string user;    ///< {{content}}

  std::string assistant;               ///< opens a turn
  std::string assistant_after_result;  ///< the same behind results; `assistant` if not given
  std::string thinking;                ///< {{content}}
  std::string no_thinking;             ///< where there is none, in a turn that could have it
  std::string old_thinking;            ///< in turns whose thinking is not written
  std::string text;                    ///< {{content}} is the default
  std::string text_end;                ///< unless the model is to go on with the text, or calls
  std::string text_with_calls;         ///< {{content}}; `text` if not given
  std::string calls;                   ///< in front of the first call
  std::string calls_after_text;        ///< before that where the turn has text
  std::string call;  ///< {{name}}, {{name_json}}, {{arguments}}, {{parameters}}, {{id}}
  /// One of {{parameters}}: {{name}}, {{value}} as Python's str() has it, {{json_value}} as JSON
  /// where it is no string.
  std::string parameter;
  std::string call_between;
  std::string calls_end;
  std::string assistant_end;

  std::string results;  ///< in front of the first of several
  std::string result;   ///< {{name}}, {{content}}, {{json}}, {{id}} of the call
  std::string result_between;
  std::string results_end;

  std::string reply;               ///< the model is to speak now
  std::string reply_after_result;  ///< the same behind results; `reply` if not given
};

/// Reads a row of families.json, {"control", "tags", …, "pieces"}. An Error (kConfig) names what
/// there is no such thing as, or is of the wrong kind.
Result<TurnRules> read_turn_rules(const Json& row);

/// The row that read_turn_rules() makes the same rules of.
Json write_turn_rules(const TurnRules& rules);

}  // namespace pedro
