#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pedro {

/// The grammars that llama-server accepts (GBNF), as values: rules whose right-hand sides are
/// expressions. Expressions are immutable after construction. The functions below build them in
/// their simplest form. Thread-safe.
///
/// Callers that build expressions from untrusted input must keep nesting below kMaxExprDepth and
/// finite repetitions at or below kMaxRepeats. Printing, copying and compiling rely on these
/// limits. Move deeper nesting into a separate rule.
inline constexpr int kMaxExprDepth = 100;

/// The most repetitions. The server silently treats more than 2000 as unbounded; older ones refuse
/// 2000.
inline constexpr int kMaxRepeats = 1999;

struct Expr;

/// Exactly this text, in well-formed UTF-8.
struct Literal {
  std::string bytes;
};

/// The code points first..last, both included.
struct CharRange {
  char32_t first = 0;
  char32_t last = 0;
};

/// One code point that is in the ranges, or with `negated` one that is in none of them. Matches
/// nothing without ranges and `negated`. Ranges are sorted and neither overlap nor touch.
struct CharClass {
  std::vector<CharRange> ranges;
  bool negated = false;
};

/// A reference to the rule of that name.
struct RuleRef {
  std::string name;
};

/// One token of the model, identified by `id` if present, otherwise by `text`.
///
/// Without an id, `text` includes the angle brackets ("<tool_call>"). It must not begin with "<[",
/// contain a second '>' or contain a line end. With an id, `text` is the token's text in text
/// matching; it is not printed. At least one of them is set. `negated` matches any other single
/// token.
struct Token {
  std::string text;
  std::optional<std::uint32_t> id;
  bool negated = false;
};

/// The items one after the other; the empty text without items.
struct Sequence {
  std::vector<Expr> items;
};

/// One of the options. At least two.
struct Alternation {
  std::vector<Expr> options;
};

/// `item` from `min` to `max` times. `item` has exactly one element; a vector allows an incomplete
/// type.
struct Repetition {
  std::vector<Expr> item;
  int min = 0;
  std::optional<int> max;  ///< unbounded if absent
  std::size_t at = 0;      ///< byte offset in parse_gbnf's source; ignored by == and print
};

struct Expr {
  std::variant<Sequence, Literal, CharClass, RuleRef, Alternation, Repetition, Token> node;

  bool is_empty() const;
};

bool operator==(const Expr& a, const Expr& b);

struct Rule {
  std::string name;  ///< [A-Za-z0-9-]+ only: the server refuses underscores
  Expr expr;
};

/// A grammar. Matching begins with the rule `root`.
struct Gbnf {
  std::vector<Rule> rules;
};

bool operator==(const Gbnf& a, const Gbnf& b);

Expr literal(std::string_view bytes);
Expr one_of(std::vector<CharRange> ranges);
Expr none_of(std::vector<CharRange> ranges);  ///< one_of({}) if `ranges` covers all code points
Expr rule_ref(std::string_view name);
Expr token(std::string_view text, bool negated = false);
Expr token(std::uint32_t id, bool negated = false);
/// A token with this id, and with its text for text matching.
Expr known_token(std::uint32_t id, std::string_view text);

/// A flat sequence: inlines nested sequences, joins adjacent literals, drops empty items.
Expr sequence(std::vector<Expr> items);

/// A flat alternation: inlines nested alternations and drops repeated options. Returns a single
/// option itself. Without options it matches nothing.
Expr alternation(std::vector<Expr> options);

/// Like `alternation`, but with the common beginning of all options factored out. Splits literals
/// for that between code points. ("ab" | "ac" "d") is "a" ("b" | "cd").
Expr factored_alternation(std::vector<Expr> options);

/// Requires 0 <= min <= kMaxRepeats, and min <= max <= kMaxRepeats if `max` is present.
Expr repetition(Expr item, int min, std::optional<int> max);
Expr maybe(Expr item);

/// Prints a rule per line, `root` first, then in order. The same grammar always gives the same
/// bytes. Adds parentheses only where needed. Uses only escapes that every llama.cpp since 2023
/// reads (not `\-` and `\/`). Escapes characters that control a terminal.
std::string print(const Gbnf& grammar);
std::string print(const Expr& expr);

/// Returns the expression with its rule references renamed; `names` must contain every referenced
/// rule.
Expr renamed(const Expr& expr, const std::map<std::string, std::string>& names);

/// Replaces each byte that is invalid in a rule name by '-' and truncates to 64 bytes. Returns
/// "rule" for an empty text. "code_edit" becomes "code-edit".
std::string rule_name(std::string_view text);

}  // namespace pedro
