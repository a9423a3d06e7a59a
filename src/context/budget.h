#pragma once

#include <algorithm>

namespace pedro {

/// How much of a model's context a conversation may take. All counts are tokens.
struct Budget {
  long long context_tokens = 0;  ///< of the slot: prompt and reply together
  long long reply_tokens = 0;    ///< kept for a reply
  long long reserve_tokens = 0;  ///< kept for a request that a compaction makes
  double high_water = 0.85;      ///< of limit(): above it something has to leave
  double low_water = 0.35;       ///< of limit(): below it enough has left

  /// No prompt may have more. The largest that a server takes is one less than its context.
  long long limit() const {
    return std::max(0LL, context_tokens - 1 - reply_tokens - reserve_tokens);
  }
  long long high() const {
    return static_cast<long long>(static_cast<double>(limit()) * high_water);
  }
  /// Halfway: where a compaction is not needed yet, and worth it if the moment is good.
  long long between() const { return low() + (high() - low()) / 2; }
  long long low() const { return static_cast<long long>(static_cast<double>(limit()) * low_water); }
};

}  // namespace pedro
