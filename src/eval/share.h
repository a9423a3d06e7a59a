#pragma once

namespace pedro {

/// What is likely of a probability, at 95 %.
struct Interval {
  double low = 0;
  double high = 1;
};

/// `some` of `all`.
struct Share {
  int some = 0;
  int all = 0;

  /// 0 of none.
  double value() const { return all == 0 ? 0 : static_cast<double>(some) / all; }
  /// Wilson's score interval (1927); [0, 1] of none.
  Interval interval() const;
};

/// What is likely of the difference of two probabilities, b - a, at 95 %: Newcombe's method 10
/// (1998), of the intervals of both.
Interval difference(const Share& a, const Share& b);

}  // namespace pedro
