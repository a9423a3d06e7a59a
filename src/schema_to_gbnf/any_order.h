#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gbnf/grammar_builder.h"
#include "schema_to_gbnf/json_rules.h"

namespace pedro {

/// An object whose members may have any order, with the required ones exactly once.
///
/// Up to 6 members are *tracked*, with a rule for each set of missing ones: all members of a small
/// object, else the required ones. In large grammars this limit is 3. The other members may repeat:
/// between two tracked ones as often as there are such members, or without a limit if there are
/// `others` or over 1,999 such members. More required members have only the declared order and that
/// of `required`. Rule names begin with `name`.
Expr json_object_in_any_order(GrammarBuilder& grammar, const std::vector<JsonMember>& members,
                              const std::optional<Expr>& others,
                              std::span<const std::string> required, std::string_view name);

}  // namespace pedro
