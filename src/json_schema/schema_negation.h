#pragma once

#include <optional>
#include <vector>

#include "gbnf/schema_budget.h"
#include "json_schema/schema_fact.h"

namespace pedro {

/// The constraints on a value that violates an assertion. The value has the type that the assertion
/// is about and satisfies the facts below.
struct Negation {
  Facts facts;
  std::optional<std::vector<Facts>> choice;  ///< and one of these; if empty, no value remains
  bool exact = true;  ///< false: too weak, also allows values that satisfy the assertion
};

Negation negation_of(const Schema& schema, const Assertion& assertion, SchemaBudget& budget);

/// Returns true if a schema is simple enough for an exact and cheap negation.
bool is_easily_negated(const Schema& schema, SchemaId id);

}  // namespace pedro
