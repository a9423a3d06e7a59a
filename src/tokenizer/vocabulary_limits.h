#pragma once

#include <algorithm>
#include <cstddef>

namespace pedro {

/// Limits of vocabulary files. The largest known have 262,144 tokens, 514,906 merges, tokens of
/// 1,024 bytes and 33 MB of JSON.
constexpr std::size_t kMaxVocabularyTokens = 2'000'000;
constexpr std::size_t kMaxVocabularyMerges = 4'000'000;
constexpr std::size_t kMaxSpecials = 10'000;  ///< if listed separately; largest known: 1,091
constexpr std::size_t kMaxTokenBytes = 64U << 10U;
constexpr std::size_t kMaxVocabularyFileBytes = 1U << 30U;  ///< of a GGUF: of its token texts

/// The exclusive upper bound of token ids in a file of `file_bytes`. A token takes at least four
/// bytes in every text format. Higher ids, beyond an allowance for unused ones, would allocate
/// memory out of proportion to the file.
constexpr std::size_t max_tokens_in(std::size_t file_bytes) {
  return std::min(kMaxVocabularyTokens, 4096 + file_bytes / 4);
}

}  // namespace pedro
