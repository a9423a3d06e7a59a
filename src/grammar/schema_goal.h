#pragma once

#include <compare>
#include <vector>

#include "grammar/schema.h"

namespace pedro {

/// A schema that a value has to fit, or with `negated` must not fit.
struct Term {
  SchemaId id = 0;
  bool negated = false;
  auto operator<=>(const Term&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// What a value has to be: all of these, sorted and each once. None: any value.
using Goal = std::vector<Term>;

/// The goal of all `terms`, in its one form; a schema that only names another one is that one.
Goal goal_of(const Schema& schema, std::vector<Term> terms);

/// True where `value` fits all terms of the goal, by validate().
bool fits(const Schema& schema, const Goal& goal, const Json& value);

}  // namespace pedro
