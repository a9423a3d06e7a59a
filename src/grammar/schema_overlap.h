#pragma once

#include <cstddef>
#include <vector>

#include "grammar/schema.h"

namespace pedro {

/// True where surely no value fits both: other types, other constants, a property that both
/// require with values that are apart, one that one requires and the other does not know. Looks
/// a few schemas deep. False where that is not to be seen so.
bool surely_apart(const Schema& schema, SchemaId a, SchemaId b);

/// The options that a value may fit which fits option number `i` too. Where there are more than 100
/// options all others count as such.
std::vector<SchemaId> overlapping(const Schema& schema, const OneOf& choice, std::size_t i);

/// True where no option overlaps another.
bool is_exclusive(const Schema& schema, const OneOf& choice);

}  // namespace pedro
