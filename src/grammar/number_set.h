#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "grammar/decimal.h"
#include "grammar/integer_set.h"
#include "grammar/text_set.h"

namespace pedro {

/// What a schema says of a number.
struct NumberLimits {
  bool integer = false;
  std::optional<NumberBound> lower;
  std::optional<NumberBound> upper;
  std::vector<Decimal> multiples_of;  ///< of each of these; not zero
};

/// The texts, as JSON has them, of the numbers within the limits, exactly. Without an exponent:
/// whole numbers of at most 16 digits (or as many as a bound has), fractions of at most 20;
/// integers have no fraction. Where no multiple is asked for, numbers with an exponent too, as far
/// as their range is surely inside: one digit before the point, up to 20 behind it, an exponent of
/// at most 299. Zero is never negative for integers. Error (kLimit): a multiple that needs too many
/// states.
Result<TextSet> number_set(const NumberLimits& limits);

/// Every text with which a number_set() may have `value`, with an exponent too.
Result<TextSet> forms_of_number(const Decimal& value);

}  // namespace pedro
