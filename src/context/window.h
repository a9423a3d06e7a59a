#pragma once

#include <algorithm>
#include <cstddef>

namespace pedro {

/// The room one inference has. All counts are tokens.
struct Window {
  long long context_tokens = 0;  ///< of the slot: prompt and reply together
  long long prompt_tokens = 0;   ///< what is in it now
  long long reply_tokens = 0;    ///< what a reply may take at most

  /// The largest prompt the server takes is one less than its context (it answers 400 above), and
  /// the reply comes after it.
  long long free_tokens() const {
    return std::max(0LL, context_tokens - 1 - reply_tokens - prompt_tokens);
  }

  /// What one reply may generate now; 0 where not even a short call fits.
  long long reply_allowance() const {
    constexpr long long kShortestUsefulReply = 64;
    const long long left = context_tokens - 1 - prompt_tokens;
    return left < kShortestUsefulReply ? 0 : std::min(reply_tokens, left);
  }

  /// How many bytes a tool result may have: a quarter of what is free, at three bytes a token (code
  /// has 3 to 4), but never under 1 KiB, so that an error message always fits.
  std::size_t result_allowance_bytes() const {
    return static_cast<std::size_t>(std::max(1024LL, free_tokens() / 4 * 3));
  }
};

}  // namespace pedro
