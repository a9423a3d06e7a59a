#pragma once

#include <algorithm>

namespace pedro {

/// The share of a model's context window that a conversation may use. All counts are tokens.
struct Budget {
  long long context_tokens = 0;  ///< size of the slot: prompt and reply together
  long long reply_tokens = 0;    ///< reserved for a reply
  long long reserve_tokens = 0;  ///< reserved for a request during a compaction
  double high_water = 0.85;      ///< share of limit() above which a compaction is due
  double low_water = 0.35;       ///< share of limit() at which a compaction stops

  /// The largest prompt, at least 0. A server accepts at most one token less than its context.
  long long limit() const {
    return std::max(0LL, context_tokens - 1 - reply_tokens - reserve_tokens);
  }
  long long high() const {
    return static_cast<long long>(static_cast<double>(limit()) * high_water);
  }
  /// The midpoint of low() and high(). Above it a compaction pays off at a phase boundary.
  long long between() const { return low() + (high() - low()) / 2; }
  long long low() const { return static_cast<long long>(static_cast<double>(limit()) * low_water); }
};

}  // namespace pedro
