#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "gbnf/grammar_builder.h"

namespace pedro {

/// Building blocks for grammars of JSON. Each ':' and ',' is followed by one blank, optional unless
/// JsonBlanks requires it. No other white space is allowed: models write it that way, and it is
/// cheap to check.

/// "," and the blank after it.
Expr json_comma(const GrammarBuilder& grammar);

/// `"name":` and the blank after it.
Expr json_key(const GrammarBuilder& grammar, std::string_view name);
/// A key of any string expression, with ':' and the blank.
Expr json_key(const GrammarBuilder& grammar, Expr name);

/// One value, compact except for the same blanks. Recurses as deep as the value.
Expr json_constant(const GrammarBuilder& grammar, const Json& value);

/// A character of a JSON string: no raw control characters and no DEL, JSON escapes, \u surrogates
/// only as pairs.
Expr json_char(GrammarBuilder& grammar);

/// The bounds of a count, limited to the range of grammar repetitions.
struct Repeats {
  int min = 0;
  std::optional<int> max;
};

/// A string with that many characters.
Expr json_string(GrammarBuilder& grammar, const Repeats& length);

/// A member of an object.
struct JsonMember {
  std::string_view name;  ///< used in rule names
  Expr text;              ///< key and value
  bool required = false;
};

/// The bounds of an object's member count. Every state of the count is a rule per member.
struct MemberCount {
  std::size_t min = 0;
  std::optional<std::size_t> max;
};

/// An object of the members in order, optional ones present or absent. Any number of `others`
/// follow (one member each; none if absent). Never writes a superfluous comma. Without a count the
/// rules grow linearly with the members, with one they grow with members times count. Rule names
/// begin with `name`.
Expr json_object(GrammarBuilder& grammar, const std::vector<JsonMember>& members,
                 const std::optional<Expr>& others, const MemberCount& count,
                 std::string_view name);

/// An array: one item for each of `first`, then any number of `rest` (none if absent). Has at least
/// `count.min` and at most `count.max` items in total.
Expr json_array(GrammarBuilder& grammar, const std::vector<Expr>& first,
                const std::optional<Expr>& rest, const Repeats& count, std::string_view name);

/// An object whose members may have any order, with the required ones exactly once.
///
/// Up to 6 members are *tracked*, with a rule for each set of missing ones. These are all members
/// of a small object, else the required ones. In large grammars this limit is 3. The other members
/// may repeat between two tracked ones, as often as there are such members. They have no limit if
/// there are `others` or over 1,999 such members. More required members have only the declared
/// order and that of `required`. Rule names begin with `name`.
Expr json_object_in_any_order(GrammarBuilder& grammar, const std::vector<JsonMember>& members,
                              const std::optional<Expr>& others,
                              std::span<const std::string> required, std::string_view name);

}  // namespace pedro
