#include "eval/share.h"

#include <algorithm>
#include <cmath>

namespace pedro {
namespace {

constexpr double kZ = 1.959964;  // normal quantile for a two-sided 95% interval

// Computes the correlation within pairs, corrected for continuity.
double correlation(const PairedCounts& pairs) {
  const double a = pairs.both;
  const double b = pairs.only_first;
  const double c = pairs.only_second;
  const double d = pairs.neither;
  const double spread = (a + b) * (c + d) * (a + c) * (b + d);
  if (spread == 0) return 0;
  double agreement = a * d - b * c;
  if (agreement > 0) agreement = std::max(0.0, agreement - pairs.all() / 2.0);
  return agreement / std::sqrt(spread);
}

// Computes the third side of a triangle from two sides and the cosine between them.
double reach_of(double x, double y, double cosine) {
  return std::sqrt(std::max(0.0, x * x - 2 * cosine * x * y + y * y));
}

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

Interval difference(const PairedCounts& pairs) {
  const Share first = pairs.first();
  const Share second = pairs.second();
  const Interval a = first.interval();
  const Interval b = second.interval();
  const double cosine = correlation(pairs);
  const double delta = second.value() - first.value();
  return {delta - reach_of(second.value() - b.low, a.high - first.value(), cosine),
          delta + reach_of(b.high - second.value(), first.value() - a.low, cosine)};
}

double paired_p(const PairedCounts& pairs) {
  const int n = pairs.only_first + pairs.only_second;
  const int fewer = std::min(pairs.only_first, pairs.only_second);
  double p = 0;
  for (int k = 0; k <= fewer; ++k) {
    p += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) -
                  n * std::log(2.0));
  }
  return std::min(1.0, 2 * p);
}

}  // namespace pedro
