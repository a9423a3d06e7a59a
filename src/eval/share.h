#pragma once

namespace pedro {

/// A 95% confidence interval of a probability, in [0, 1], or of a difference, in [-1, 1].
struct Interval {
  double low = 0;
  double high = 1;
};

/// A proportion: `some` of `all`.
struct Share {
  int some = 0;
  int all = 0;

  /// Returns the proportion; 0 if `all` is 0.
  double value() const { return all == 0 ? 0 : static_cast<double>(some) / all; }
  /// Returns the Wilson score interval (1927); [0, 1] if `all` is 0.
  Interval interval() const;
};

/// Returns the 95% interval of the difference of two independent probabilities, b - a. Source:
/// Newcombe's method 10 (1998), with Wilson's intervals.
Interval difference(const Share& a, const Share& b);

/// Counts of paired observations: the same items, measured twice.
struct PairedCounts {
  int both = 0;
  int only_first = 0;
  int only_second = 0;
  int neither = 0;

  int all() const { return both + only_first + only_second + neither; }
  Share first() const { return {both + only_first, all()}; }
  Share second() const { return {both + only_second, all()}; }
};

/// Returns the 95% interval of the difference of two paired probabilities, second - first. Source:
/// Newcombe's method 10 for paired data (1998), with Wilson's intervals.
Interval difference(const PairedCounts& pairs);

/// Returns the exact two-sided p-value of McNemar's test (1947). It is the probability of a split
/// at least as uneven among the discordant pairs, under equal quality. Returns 1 without discordant
/// pairs.
double paired_p(const PairedCounts& pairs);

}  // namespace pedro
