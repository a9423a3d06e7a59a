#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "json_schema/call_branch.h"
#include "schema_to_gbnf/schema_to_gbnf.h"

namespace pedro {

/// Exactly the token with this id; other tokens that spell the same text do not match.
struct OneToken {
  std::uint32_t id = 0;
  std::string text = {};  ///< its text in the vocabulary, for text matching
};

/// An id that the model invents: this number of ASCII letters and digits, or a number.
struct MadeUpId {
  int length = 9;
  bool is_number = false;  ///< 1 to `length` digits
};

/// A piece of the text around a call; a string is literal, well-formed UTF-8.
using WrappingPart = std::variant<std::string, OneToken, MadeUpId>;

/// The written form of a tool's name.
enum class NameForm {
  kPlain,       ///< verbatim
  kQuoted,      ///< as a JSON string
  kQuoteOpened  ///< a JSON string without its first quote, which is already present
};

/// The text around a parameter that is written separately: `open` NAME `middle` VALUE `end`. A
/// string is verbatim, without quotes; any other value is JSON.
struct ParameterWrapping {
  std::vector<WrappingPart> open;
  std::vector<WrappingPart> middle;
  std::vector<WrappingPart> end;
  std::string end_text;  ///< never occurs in a VALUE that is JSON, unless ""
  std::string pattern;   ///< never matches in a string: a regular expression; default: `end_text`
  /// Replaces `pattern` for strings without a maximum length, unless "". A string with one counts
  /// its characters, which takes more rules for each state of the pattern.
  std::string long_pattern = {};
  std::vector<WrappingPart> between = {};      ///< between two parameters
  std::vector<WrappingPart> before_text = {};  ///< before a VALUE that is a string
  std::vector<WrappingPart> after_text = {};   ///< after it
  std::vector<WrappingPart> before_json = {};  ///< before any other
  bool in_quotes = false;                      ///< strings are JSON too
};

/// The text around strings after a call: ARGS without them, `before`, then each of them.
struct BodyWrapping {
  std::vector<WrappingPart> before;
  ParameterWrapping each;
};

/// The text around a call: `open` NAME `middle` ARGS `close`.
struct CallWrapping {
  std::vector<WrappingPart> open{"{\"tool\": "};
  NameForm name = NameForm::kQuoted;
  std::vector<WrappingPart> middle{", \"args\": "};
  std::vector<WrappingPart> close{"}"};
  JsonBlanks blanks = JsonBlanks::kOne;
  /// ARGS are parameters, one after the other; otherwise JSON.
  std::optional<ParameterWrapping> parameters = {};
  /// If ARGS are JSON: the parameters in CallBranch::bodies are written after it.
  std::optional<BodyWrapping> bodies = {};
};

/// Returns the grammar of a reply with a call of one of the branches. Each tool's name occurs once,
/// in the order of its first branch, followed by an alternative per branch. Common beginnings of
/// branches are factored out. Without branches the grammar matches nothing.
///
/// Appends to `loosened` where the grammar allows more than a schema, with "tool.action: " before
/// the pointer. The same input gives the same bytes.
///
///     tool_call_grammar({{CallBranch{"file", "read", &schema}}})
///     // root ::= "{\"tool\": \"file\", \"args\": " file-read "}" …
Gbnf tool_call_grammar(std::span<const CallBranch> branches, const CallWrapping& wrapping = {},
                       std::vector<Loosened>* loosened = nullptr);

/// Returns the name of a tool as written in a call.
std::string written_name(const std::string& tool, NameForm form);

/// A grammar of calls with its text.
struct CallGrammar {
  std::shared_ptr<const Gbnf> grammar;
  std::string text;
};

/// A cache of such grammars, keyed by their inputs: names, schema fingerprints and wrapping.
/// Keeps the kMaxKept most recently used. One thread.
class CallGrammars {
 public:
  static constexpr std::size_t kMaxKept = 32;

  /// Returns the grammar, building it on first use. Valid until kMaxKept others have been
  /// requested.
  const CallGrammar& get(std::span<const CallBranch> branches, const CallWrapping& wrapping = {});

 private:
  struct Kept {
    std::string key;
    CallGrammar grammar;
  };
  std::list<Kept> kept_;  // the most recently used first
};

}  // namespace pedro
