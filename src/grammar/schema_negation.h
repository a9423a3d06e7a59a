#pragma once

#include <optional>
#include <vector>

#include "grammar/schema_fact.h"

namespace pedro {

/// What is left of a value for which an assertion does not hold: it is of the type that the
/// assertion is about, and more.
struct Negation {
  Facts facts;
  std::optional<std::vector<Facts>> choice;  ///< and one of these; of none nothing is left
  bool exact = true;  ///< false: more than that is not said, values of the assertion are among them
};

Negation negation_of(const Schema& schema, const Assertion& assertion);

/// True where a schema says so little, and of such a kind, that its negation is exact and cheap.
bool is_easily_negated(const Schema& schema, SchemaId id);

}  // namespace pedro
