#pragma once

#include <cstddef>
#include <optional>

#include "base/result.h"
#include "regular/decimal.h"
#include "regular/text_set.h"

namespace pedro {

/// One end of a range of numbers.
struct NumberBound {
  Decimal value;
  bool exclusive = false;
};

/// The decimal texts of the integers within the bounds, without fraction or exponent. Zero is never
/// negative, and there are no unnecessary leading zeros. Without a bound, integers have at most
/// `digits` digits.
Result<TextSet> integer_set(const std::optional<NumberBound>& lower,
                            const std::optional<NumberBound>& upper, std::size_t digits);

}  // namespace pedro
