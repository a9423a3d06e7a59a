#pragma once

#include <algorithm>
#include <cstddef>

namespace pedro {

/// How much of a window is kept for a reply: what the settings say, but never over a quarter.
inline long long reply_tokens_of(long long max_tokens, long long context_tokens) {
  return std::min(max_tokens, context_tokens / 4);
}

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

  /// Code has three to four bytes a token.
  static constexpr std::size_t kBytesPerToken = 3;

  /// How many bytes a tool result may have: a quarter of what is free, but never under 1 KiB, so
  /// that an error message always fits.
  std::size_t result_allowance_bytes() const {
    const auto bytes = static_cast<std::size_t>(free_tokens() / 4) * kBytesPerToken;
    return std::max<std::size_t>(1024, bytes);
  }
};

}  // namespace pedro
