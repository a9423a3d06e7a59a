#pragma once

#include <compare>
#include <vector>

#include "gbnf/schema_budget.h"
#include "json_schema/schema.h"

namespace pedro {

/// A schema that a value must satisfy, or with `negated` must not satisfy.
struct Term {
  SchemaId id = 0;
  bool negated = false;
  auto operator<=>(const Term&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// The conditions on a value: all of these terms, sorted, without duplicates. Any value if empty.
using Goal = std::vector<Term>;

/// Returns the goal of all `terms` in canonical form. Replaces a schema that is only a reference by
/// its target.
Goal goal_of(const Schema& schema, std::vector<Term> terms);

/// Returns true if `value` satisfies all terms of the goal, or may do so (see Fit).
/// Charges the budget.
bool fits(const Schema& schema, const Goal& goal, const Json& value, SchemaBudget& budget);

}  // namespace pedro
