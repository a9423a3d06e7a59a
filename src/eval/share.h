#pragma once

#include <vector>

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

/// Counts of pairs: the same things, measured twice.
struct PairedCounts {
  int both = 0;
  int only_first = 0;
  int only_second = 0;
  int neither = 0;

  int all() const { return both + only_first + only_second + neither; }
  Share first() const { return {both + only_first, all()}; }
  Share second() const { return {both + only_second, all()}; }
};

/// The likely range of the difference of two probabilities, second - first, at 95 %: Newcombe's
/// method 10 for paired data (1998), with Wilson's intervals.
Interval difference(const PairedCounts& pairs);

/// The exact two-sided p of McNemar's test (1947): the probability of a split at least as uneven
/// among the pairs that differ, if both were equally good. 1 if no pairs differ.
double paired_p(const PairedCounts& pairs);

/// The median; 0 of none.
double median(std::vector<double> values);

}  // namespace pedro
