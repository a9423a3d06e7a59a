#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "regular/decimal.h"
#include "regular/text_set.h"

namespace pedro {

/// One end of a range of numbers.
struct NumberBound {
  Decimal value;
  bool exclusive = false;
};

/// The constraints of a schema on a number.
struct NumberLimits {
  bool integer = false;
  std::optional<NumberBound> lower;
  std::optional<NumberBound> upper;
  std::vector<Decimal> multiples_of;  ///< a multiple of each of these; not zero
};

/// The JSON texts of exactly the numbers within the limits. Without an exponent, whole parts have
/// at most 16 digits (or as many as a bound), fractions at most 20. Integers have no fraction.
///
/// Without `multiples_of`, non-integers may also have an exponent if all numbers of that form are
/// within the limits. These have one digit before the point, up to 20 after it, and an exponent of
/// at most 299. Zero is never negative for integers. Error (kLimit): a multiple that needs too many
/// states.
Result<TextSet> number_set(const NumberLimits& limits);

/// Every text of `value` that a number_set() may contain, also with an exponent.
Result<TextSet> forms_of_number(const Decimal& value);

}  // namespace pedro
