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

#include "grammar/schema_to_gbnf.h"

namespace pedro {

/// One thing that a reply may call.
struct CallBranch {
  std::string tool;
  std::string action;  ///< names the rules; empty where the tool has just one
  /// Of the whole `args` object. An `action` property, if there is one, is in it (as a constant,
  /// and first, so that the branches of a tool part as early as possible).
  const Schema* args = nullptr;  ///< borrowed; never null
  /// Parameters that are long texts: where a wrapping has bodies, these stand behind the call.
  std::vector<std::string> bodies = {};
  /// `args` as it was written, for who takes schemas; borrowed, null where there is none.
  const Json* args_json = nullptr;
};

/// The token of this id and no other, however its text could be written.
struct OneToken {
  std::uint32_t id = 0;
  std::string text = {};  ///< what the vocabulary has it as; for those who match texts
};

/// An id that the model makes up: so many ASCII letters and digits.
struct MadeUpId {
  int length = 9;
};

/// A piece of what stands around a call; a text stands there to the letter. Well-formed UTF-8.
using WrappingPart = std::variant<std::string, OneToken, MadeUpId>;

/// How a tool's name is written.
enum class NameForm {
  kPlain,       ///< as it is
  kQuoted,      ///< as a JSON string
  kQuoteOpened  ///< the same without the first quote, which stands there already
};

/// What stands around a parameter that is written by itself: `open` NAME `middle` VALUE `end`. A
/// text stands there as it is, without quotes; what is none is JSON.
struct ParameterWrapping {
  std::vector<WrappingPart> open;
  std::vector<WrappingPart> middle;
  std::vector<WrappingPart> end;
  std::string end_text;  ///< stands in no value, be it a text or JSON; "": texts have a pattern
  std::string pattern;   ///< stands in no text: a regular expression (regex.h), or ""
};

/// What stands around texts behind a call: ARGS without them, `before`, then each of them.
struct BodyWrapping {
  std::vector<WrappingPart> before;
  ParameterWrapping each;
};

/// What stands around a call: `open` NAME `middle` ARGS `close`.
struct CallWrapping {
  std::vector<WrappingPart> open{"{\"tool\": "};
  NameForm name = NameForm::kQuoted;
  std::vector<WrappingPart> middle{", \"args\": "};
  std::vector<WrappingPart> close{"}"};
  JsonBlanks blanks = JsonBlanks::kOne;
  /// ARGS are parameters, one behind the other; otherwise they are JSON.
  std::optional<ParameterWrapping> parameters = {};
  /// Where ARGS are JSON: the parameters CallBranch::bodies are not in it, but behind it.
  std::optional<BodyWrapping> bodies = {};
};

/// What a reply may be.
enum class ReplyForm {
  kCall,  ///< exactly one call
  /// Free text that may end in a call. `open` begins with a text, which does not stand in it.
  kTextOrCall,
};

/// The grammar of a reply with a call of one of the branches. Each tool's name stands
/// there once, in the order of its first branch, with an alternative per branch behind it; what
/// the branches begin with is written once. No branches: a grammar that matches nothing.
/// Where the grammar allows more than a schema, it is appended to `loosened`, with
/// "tool.action: " before the pointer. Same input, same bytes.
Gbnf tool_call_grammar(std::span<const CallBranch> branches, const CallWrapping& wrapping = {},
                       std::vector<Loosened>* loosened = nullptr,
                       ReplyForm form = ReplyForm::kCall);

/// How the name of a tool stands in a call.
std::string written_name(const std::string& tool, NameForm form);

/// The grammar of calls, and its text.
struct CallGrammar {
  std::shared_ptr<const Gbnf> grammar;
  std::string text;
};

/// Such grammars, made when first asked for. A grammar is known by what it is made from: names, the
/// schemas' fingerprints, wrapping and form. Keeps the last kMaxKept. One thread.
class CallGrammars {
 public:
  static constexpr std::size_t kMaxKept = 32;

  /// Valid until kMaxKept others were asked for.
  const CallGrammar& get(std::span<const CallBranch> branches, const CallWrapping& wrapping = {},
                         ReplyForm form = ReplyForm::kCall);

 private:
  struct Kept {
    std::string key;
    CallGrammar grammar;
  };
  std::list<Kept> kept_;  // the newest first
};

}  // namespace pedro
