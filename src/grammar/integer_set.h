#pragma once

#include <cstddef>
#include <optional>

#include "base/result.h"
#include "grammar/decimal.h"
#include "grammar/text_set.h"

namespace pedro {

/// One end of a range of numbers.
struct NumberBound {
  Decimal value;
  bool exclusive = false;
};

/// The texts of the integers within the bounds, without a fraction or an exponent: zero is never
/// negative, nothing begins with a zero that need not. Where a bound is left out, up to `digits`
/// digits.
Result<TextSet> integer_set(const std::optional<NumberBound>& lower,
                            const std::optional<NumberBound>& upper, std::size_t digits);

}  // namespace pedro
