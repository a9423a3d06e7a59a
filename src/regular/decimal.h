#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pedro {

/// An exact decimal number: [-]whole.fraction, without leading or trailing zeros (`whole` is "0"
/// for numbers below one). A value.
struct Decimal {
  bool negative = false;
  std::string whole = "0";
  std::string fraction;

  bool operator==(const Decimal&) const = default;
};

/// Parses the text of a JSON number. Returns nullopt if it is malformed or needs more than 40
/// digits on either side of the point.
std::optional<Decimal> parse_decimal(std::string_view text);

/// Returns a negative, zero or positive value if `a` is less than, equal to or greater than `b`.
int compare(const Decimal& a, const Decimal& b);

/// Returns true if `value` is an integer multiple of `divisor`, which must be greater than zero.
/// Exact if the divisor, padded to the fraction digits of `value`, has at most 18 digits; else in
/// double precision.
bool is_multiple(const Decimal& value, const Decimal& divisor);

std::string to_string(const Decimal& value);

}  // namespace pedro
