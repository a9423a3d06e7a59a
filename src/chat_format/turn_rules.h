#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pedro {

/// A family's format with consecutive turns: the pieces of text around contents. A row of
/// families.json.
///
/// In a piece, {{name}} is a placeholder for a value. Names in `control` are control tokens. Names
/// in `tags` are tokens in vocabularies that have them, and text in others. Everything else is
/// template text. Unless noted, a missing piece is empty.
struct TurnRules {
  /// The placeholder for a content.
  static constexpr std::string_view kContent = "{{content}}";

  /// The assistant's turns that keep their thinking.
  enum class Thinking : std::uint8_t {
    kNever,
    kAfterUser,    ///< those after the last user's turn
    kAfterAnswer,  ///< those after the last answer, which is a turn without calls
    kWithTools,    ///< all if there are tools, otherwise those after the last user's turn
    kAlways
  };

  std::vector<std::string> control;
  std::vector<std::string> tags;
  Thinking thinking_kept = Thinking::kNever;
  bool joins_system = false;  ///< the head has all system messages; otherwise only the first
  bool one_call = false;      ///< a turn has at most one
  std::string date;           ///< default of {{date}} and {{day}} if a request has none
  std::string effort;         ///< default of {{effort}}

  // Trim the blanks around contents. `trims_calling`: of an assistant's turn with calls.
  bool trims_system = false;
  bool trims_user = false;
  bool trims_assistant = false;
  bool trims_calling = false;
  bool trims_results = false;
  /// Trims line ends around thinking, and those before the text after it.
  bool trims_thinking = false;

  /// A system message without text counts as one: in a head without tools, and in one with tools.
  bool empty_system = true;
  bool empty_system_with_tools = true;

  /// Texts with {{system}}, {{guide}}, {{date}} (2024-07-26), {{day}} (26 Jul 2024), {{effort}}.
  std::string begin;
  std::string head;             ///< with a system message
  std::string head_none;        ///< with neither system message nor tools
  std::string head_tools;       ///< with both
  std::string head_tools_only;  ///< with tools only
  std::string guide;            ///< introduces {{tools}} and explains how to call them
  /// One of {{tools}}: {{name}}, {{description}}, {{schema}}, or the whole tool as {{tool}},
  /// {{function}}, {{tool_indented}}, {{tool_xml}}, {{tool_typescript}}, {{gemma_tool}}.
  std::string tool;
  std::string tool_between;

  /// Before the first user's text, for families that do not write these two in a head.
  std::string first_user_system;
  std::string first_user_tools;

  std::string system;  ///< {{content}}; for later system messages
  std::string user;    ///< {{content}}

  std::string assistant;               ///< opens a turn
  std::string assistant_after_result;  ///< the same after results; default: `assistant`
  std::string thinking;                ///< {{content}}
  std::string no_thinking;             ///< replaces missing thinking in a turn that keeps it
  std::string old_thinking;            ///< in turns that do not keep their thinking
  std::string text;                    ///< default: {{content}}
  std::string text_end;                ///< unless calls follow or the text is a prefix
  std::string text_with_calls;         ///< {{content}}; default: `text`
  std::string calls;                   ///< before the first call
  std::string calls_after_text;        ///< before `calls` if the turn has text
  /// {{name}}, {{name_json}}, {{arguments}}, {{parameters}}, {{id}}, {{index}} among all calls.
  std::string call;
  /// One of {{parameters}}: {{name}}, {{value}} like Python's str(), and {{json_value}} as JSON
  /// unless it is a string. {{python_value}}: as an argument of a call in Python. {{gemma_value}}:
  /// as Gemma 4 writes it, then in the order of their names. {{is_string}}: true or false.
  std::string parameter;
  std::string parameter_between;
  std::string call_between;
  std::string calls_end;
  std::string assistant_end;

  std::string results;  ///< before the first result
  std::string result;   ///< {{content}}, {{json}}; {{name}}, {{id}}, {{index}} of the call
  std::string result_between;
  std::string results_end;

  std::string reply;               ///< opens the model's turn
  std::string reply_after_result;  ///< the same after results; default: `reply`
};

/// Returns the first {{name}} of a piece at or after `from`; npos if there is none. Of "{{{", the
/// last two braces count.
std::size_t find_placeholder(std::string_view piece, std::size_t from = 0);

/// Reads a row of families.json, {"control", "tags", …, "pieces"}. Error (kConfig): a name is
/// unknown, or a value has the wrong type.
Result<TurnRules> read_turn_rules(const Json& row);

/// Returns a row that read_turn_rules() reads as the same rules.
Json write_turn_rules(const TurnRules& rules);

}  // namespace pedro
