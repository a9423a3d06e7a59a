#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "grammar/grammar_builder.h"

namespace pedro {

/// The parts that grammars of JSON are made of. One blank after ':' and ',', optional unless the
/// grammar's JsonBlanks say otherwise, and no other white space: what models write anyway, and
/// cheap to check.

/// "," and what may follow it.
Expr json_comma(const GrammarBuilder& grammar);

/// `"name":` and what may follow it.
Expr json_key(const GrammarBuilder& grammar, std::string_view name);
/// The same behind any expression of a string.
Expr json_key(const GrammarBuilder& grammar, Expr name);

/// One value, compactly but with the same blanks. Recurses as deep as the value.
Expr json_constant(const GrammarBuilder& grammar, const Json& value);

/// A character of a JSON string: no raw control characters and no DEL, escapes as JSON has them,
/// \u surrogates only as pairs.
Expr json_char(GrammarBuilder& grammar);

/// How often something may come, as far as a grammar can say it.
struct Repeats {
  int min = 0;
  std::optional<int> max;
};

/// A string of that many characters.
Expr json_string(GrammarBuilder& grammar, const Repeats& length);

/// A member of an object.
struct JsonMember {
  std::string_view name;  ///< names a rule
  Expr text;              ///< key and value
  bool required = false;
};

/// How many members there may be. Every state of the count is a rule per member.
struct MemberCount {
  std::size_t min = 0;
  std::optional<std::size_t> max;
};

/// An object: members in that order, the optional ones there or not, then any number of `others`
/// (one member each; nothing: there are none). Never a comma too many. Without a count the rules
/// grow linearly with the members, with one they grow with members times count. `name` begins the
/// names of the rules.
Expr json_object(GrammarBuilder& grammar, const std::vector<JsonMember>& members,
                 const std::optional<Expr>& others, const MemberCount& count,
                 std::string_view name);

/// An array: one item for each of `first`, then any number of `rest` (nothing: there are none); at
/// least `count.min` and at most `count.max` in all.
Expr json_array(GrammarBuilder& grammar, const std::vector<Expr>& first,
                const std::optional<Expr>& rest, const Repeats& count, std::string_view name);

}  // namespace pedro
