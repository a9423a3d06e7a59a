#pragma once

#include "base/json.h"
#include "json_schema/schema.h"

namespace pedro {

// JSON values, as JSON Schema compares them.

/// Returns true if the values are equal: 1 is 1.0, and the order of members is irrelevant. Recurses
/// as deep as the shallower of the two.
bool same_json(const Json& a, const Json& b);

/// Returns true if no two items of an array are equal. O(n log n) in its bytes.
bool are_unique(const Json& array);

/// Returns true if a number is in the range. Numbers with more digits than a Decimal supports are
/// compared as doubles.
bool within(const Json& number, const NumberRange& range);

}  // namespace pedro
