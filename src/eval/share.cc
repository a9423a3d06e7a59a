#include "eval/share.h"

#include <algorithm>
#include <cmath>

namespace pedro {
namespace {

constexpr double kZ = 1.959964;  // of 95 %, both sides

}  // namespace

Interval Share::interval() const {
  if (all == 0) return {};
  const double n = all;
  const double p = value();
  const double middle = p + kZ * kZ / (2 * n);
  const double reach = kZ * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
  const double scale = 1 + kZ * kZ / n;
  return {std::max(0.0, (middle - reach) / scale), std::min(1.0, (middle + reach) / scale)};
}

Interval difference(const Share& a, const Share& b) {
  const Interval in_a = a.interval();
  const Interval in_b = b.interval();
  const double delta = b.value() - a.value();
  return {delta - std::hypot(b.value() - in_b.low, in_a.high - a.value()),
          delta + std::hypot(in_b.high - b.value(), a.value() - in_a.low)};
}

}  // namespace pedro
