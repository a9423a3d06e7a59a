#pragma once

#include <cstddef>
#include <vector>

#include "gbnf/schema_budget.h"
#include "json_schema/schema.h"

namespace pedro {

/// The most options of a oneOf that are compared in pairs.
inline constexpr std::size_t kMaxCompared = 100;

/// Returns true if provably no value satisfies both schemas. Compares types, constants, values of
/// properties that both require, and properties that one requires and the other forbids. Inspects a
/// few levels. Returns false if this is not decidable in that way.
bool surely_apart(const Schema& schema, SchemaId a, SchemaId b, SchemaBudget& budget);

/// Returns the options that may have values in common with option number `i`. Returns all others if
/// there are more than kMaxCompared options. Ends early if the budget is spent.
std::vector<SchemaId> overlapping(const Schema& schema, const OneOf& choice, std::size_t i,
                                  SchemaBudget& budget);

/// Returns true if no option overlaps another. Compares more than kMaxCompared options only if all
/// are constants.
bool is_exclusive(const Schema& schema, const OneOf& choice, SchemaBudget& budget);

}  // namespace pedro
