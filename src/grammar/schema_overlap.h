#pragma once

#include <cstddef>
#include <vector>

#include "grammar/schema.h"

namespace pedro {

/// Returns true if provably no value satisfies both schemas. Compares types, constants, values of
/// properties that both require, and properties that one requires and the other forbids. Inspects a
/// few levels. Returns false if this is not decidable in that way.
bool surely_apart(const Schema& schema, SchemaId a, SchemaId b);

/// Returns the options that may have values in common with option number `i`. Returns all others if
/// there are more than 100 options.
std::vector<SchemaId> overlapping(const Schema& schema, const OneOf& choice, std::size_t i);

/// Returns true if no option overlaps another.
bool is_exclusive(const Schema& schema, const OneOf& choice);

}  // namespace pedro
