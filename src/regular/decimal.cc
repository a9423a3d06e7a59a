#include "regular/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace pedro {
namespace {

constexpr std::size_t kMaxDigits = 40;

void trim_zeros(Decimal& value) {
  value.whole.erase(0, std::min(value.whole.find_first_not_of('0'), value.whole.size()));
  while (value.fraction.ends_with('0')) value.fraction.pop_back();
  if (value.whole.empty()) value.whole = "0";
  if (value.whole == "0" && value.fraction.empty()) value.negative = false;
}

int compare_sizes(const Decimal& a, const Decimal& b) {
  if (a.whole.size() != b.whole.size()) return a.whole.size() < b.whole.size() ? -1 : 1;
  const int whole = a.whole.compare(b.whole);
  return whole != 0 ? whole : a.fraction.compare(b.fraction);
}

}  // namespace

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal value;
  value.negative = text.starts_with('-');
  if (value.negative) text.remove_prefix(1);
  int exponent = 0;
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (end.ec != std::errc() || end.ptr != digits.data() + digits.size()) return std::nullopt;
    text = text.substr(0, e);
  }
  const std::size_t point = text.find('.');
  value.whole = text.substr(0, point);
  if (point != std::string_view::npos) value.fraction = text.substr(point + 1);
  const auto too_far = static_cast<int>(2 * kMaxDigits);
  if (value.whole.empty() || exponent > too_far || exponent < -too_far) return std::nullopt;
  for (; exponent > 0; --exponent) {
    value.whole += value.fraction.empty() ? '0' : value.fraction.front();
    if (!value.fraction.empty()) value.fraction.erase(0, 1);
  }
  for (; exponent < 0; ++exponent) {
    value.fraction.insert(0, 1, value.whole.empty() ? '0' : value.whole.back());
    if (!value.whole.empty()) value.whole.pop_back();
  }
  trim_zeros(value);
  const bool digits = std::all_of(value.whole.begin(), value.whole.end(),
                                  [](char c) { return c >= '0' && c <= '9'; }) &&
                      std::all_of(value.fraction.begin(), value.fraction.end(),
                                  [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || value.whole.size() > kMaxDigits || value.fraction.size() > kMaxDigits) {
    return std::nullopt;
  }
  return value;
}

int compare(const Decimal& a, const Decimal& b) {
  if (a.negative != b.negative) return a.negative ? -1 : 1;
  const int sizes = compare_sizes(a, b);
  return a.negative ? -sizes : sizes;
}

bool is_multiple(const Decimal& value, const Decimal& divisor) {
  const std::size_t places = std::max(value.fraction.size(), divisor.fraction.size());
  const auto scaled = [places](const Decimal& number) {
    return number.whole + number.fraction + std::string(places - number.fraction.size(), '0');
  };
  const std::string steps = scaled(divisor);
  std::uint64_t modulus = 0;
  const auto end = std::from_chars(steps.data(), steps.data() + steps.size(), modulus);
  if (end.ec != std::errc() || modulus > 1'000'000'000'000'000'000) {
    const double ratio = std::stod(to_string(value)) / std::stod(to_string(divisor));
    return std::floor(ratio) == ratio;
  }
  std::uint64_t rest = 0;
  for (const char digit : scaled(value)) {
    rest = (rest * 10 + static_cast<std::uint64_t>(digit - '0')) % modulus;
  }
  return rest == 0;
}

std::string to_string(const Decimal& value) {
  return (value.negative ? "-" : "") + value.whole +
         (value.fraction.empty() ? "" : "." + value.fraction);
}

}  // namespace pedro
