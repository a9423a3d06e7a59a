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

/// The grammars that llama-server takes (GBNF), as values: rules whose right sides are
/// expressions. Nothing here is changed once it is made; the functions below make expressions in
/// their simplest form. Everything may be used from any thread.
///
/// Whoever makes an expression from foreign input keeps its nesting below kMaxExprDepth, and
/// finite repetitions at or below kMaxRepeats: printing, copying and compiling rely on it. What
/// nests deeper goes behind a rule's name.
inline constexpr int kMaxExprDepth = 100;

/// The server silently takes more than 2000 as "any number"; older ones refuse 2000 itself.
inline constexpr int kMaxRepeats = 1999;

struct Expr;

/// Exactly this text. Well-formed UTF-8.
struct Literal {
  std::string bytes;
};

/// Code points first..last, both included.
struct CharRange {
  char32_t first = 0;
  char32_t last = 0;
};

/// One code point that is in the ranges, or with `negated` one that is in none. No ranges and not
/// negated matches nothing. Ranges are sorted and neither overlap nor touch.
struct CharClass {
  std::vector<CharRange> ranges;
  bool negated = false;
};

/// What the rule of that name matches.
struct RuleRef {
  std::string name;
};

/// One token of the model: the one with this id where there is one, else the one that is written
/// `text`, angle brackets and all ("<tool_call>"; no other '>', no line end, no "<[" to begin
/// with). With an id, `text` is whatever the token's text is, for those who match texts; it is not
/// printed. `negated`: any one token but it. Never neither of them.
struct Token {
  std::string text;
  std::optional<std::uint32_t> id;
  bool negated = false;
};

/// One after the other; none at all is the empty text.
struct Sequence {
  std::vector<Expr> items;
};

/// One of them. Two at least.
struct Alternation {
  std::vector<Expr> options;
};

/// `item` (exactly one, a vector so that it may be incomplete here) from `min` to `max` times.
struct Repetition {
  std::vector<Expr> item;
  int min = 0;
  std::optional<int> max;  ///< none: any number
  std::size_t at = 0;      ///< where parse_gbnf found it; nothing to == and print
};

struct Expr {
  std::variant<Sequence, Literal, CharClass, RuleRef, Alternation, Repetition, Token> node;

  bool is_empty() const;
};

bool operator==(const Expr& a, const Expr& b);

struct Rule {
  std::string name;  ///< [A-Za-z0-9-]+, nothing else: the server refuses underscores
  Expr expr;
};

/// The rule `root` is where matching begins.
struct Gbnf {
  std::vector<Rule> rules;
};

bool operator==(const Gbnf& a, const Gbnf& b);

Expr literal(std::string_view bytes);
Expr one_of(std::vector<CharRange> ranges);
Expr none_of(std::vector<CharRange> ranges);  ///< one_of({}) where `ranges` are all there is
Expr rule_ref(std::string_view name);
Expr token(std::string_view text, bool negated = false);
Expr token(std::uint32_t id, bool negated = false);
/// By its id, with its text for those who match texts.
Expr known_token(std::uint32_t id, std::string_view text);

/// Flattened: sequences inside dissolve, neighbouring literals join, empty items vanish.
Expr sequence(std::vector<Expr> items);

/// Alternations inside dissolve, an option that was there already vanishes, a single option stands
/// alone; no option at all matches nothing.
Expr alternation(std::vector<Expr> options);

/// As `alternation`, with what all options begin with written once before it: literals are split
/// for that, at a code point. ("ab" | "ac" "d") is "a" ("b" | "cd").
Expr factored_alternation(std::vector<Expr> options);

/// Requires 0 <= min <= kMaxRepeats and min <= max <= kMaxRepeats where there is a `max`.
Expr repetition(Expr item, int min, std::optional<int> max);
Expr maybe(Expr item);

/// The grammar's text: a rule per line, `root` first, then in order. The same grammar always has
/// the same bytes. Parenthesised only where it is needed; only escapes that every llama.cpp since
/// 2023 reads (`\-` and `\/` are not among them). Nothing in it steers a terminal: such characters
/// are escaped.
std::string print(const Gbnf& grammar);
std::string print(const Expr& expr);

/// The same expression with other names for the rules it refers to; each must be in `names`.
Expr renamed(const Expr& expr, const std::map<std::string, std::string>& names);

/// `text` with everything that no rule's name may hold replaced by '-', at most 64 bytes, never
/// empty: "code_edit" is "code-edit".
std::string rule_name(std::string_view text);

}  // namespace pedro
