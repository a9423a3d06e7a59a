#pragma once

#include <algorithm>
#include <cstddef>

namespace pedro {

/// Returns the tokens reserved for a reply: `max_tokens`, at most a quarter of the context.
inline long long reply_tokens_of(long long max_tokens, long long context_tokens) {
  return std::min(max_tokens, context_tokens / 4);
}

/// The token counts of one inference.
struct Window {
  long long context_tokens = 0;  ///< size of the slot: prompt and reply together
  long long prompt_tokens = 0;   ///< current size of the prompt
  long long reply_tokens = 0;    ///< largest size of a reply

  /// Returns the tokens left for the prompt, at least 0. A server accepts at most one token less
  /// than its context; it answers 400 to larger prompts.
  long long free_tokens() const {
    return std::max(0LL, context_tokens - 1 - reply_tokens - prompt_tokens);
  }

  /// A low estimate: code has three to four bytes per token.
  static constexpr std::size_t kBytesPerToken = 3;

  /// Returns the largest size of a tool result: a quarter of the free tokens. It is at least 1 KiB,
  /// so that an error message always fits.
  std::size_t result_allowance_bytes() const {
    const auto bytes = static_cast<std::size_t>(free_tokens() / 4) * kBytesPerToken;
    return std::max<std::size_t>(1024, bytes);
  }
};

}  // namespace pedro
