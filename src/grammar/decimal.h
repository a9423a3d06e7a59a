#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// A number exactly as it is written: (-)whole.fraction, without leading or trailing zeros ("0" is
/// the whole of numbers below one). A value.
struct Decimal {
  bool negative = false;
  std::string whole = "0";
  std::string fraction;

  bool operator==(const Decimal&) const = default;
};

/// From the text of a JSON number; nothing where it needs more than 40 digits on either side of
/// the point.
std::optional<Decimal> parse_decimal(std::string_view text);

/// Negative, zero or positive, as `a` is less than, equal to or greater than `b`.
int compare(const Decimal& a, const Decimal& b);

/// Whether `value` is a whole multiple of `divisor`, which is greater than zero. Exactly, but where
/// the divisor has more than 18 digits.
bool is_multiple(const Decimal& value, const Decimal& divisor);

std::string to_string(const Decimal& value);

}  // namespace pedro
