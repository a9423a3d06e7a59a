#pragma once

#include <algorithm>
#include <cstddef>

namespace pedro {

/// What a vocabulary file may have at most. The largest known ones have 262,144 tokens, 514,906
/// merges, tokens of 1,024 bytes and 33 MB of JSON.
constexpr std::size_t kMaxVocabularyTokens = 2'000'000;
constexpr std::size_t kMaxVocabularyMerges = 4'000'000;
constexpr std::size_t kMaxSpecials = 10'000;  ///< of the formats that give them apart: 1,091
constexpr std::size_t kMaxTokenBytes = 64U << 10U;
constexpr std::size_t kMaxVocabularyFileBytes = 1U << 30U;  ///< of a GGUF: of its token texts

/// One more than the highest id that a file of `file_bytes` may give to a token. In none of the
/// text formats a token takes less than four bytes, so with room for some numbers that are left out
/// a higher one means memory that nothing in the file pays for.
constexpr std::size_t max_tokens_in(std::size_t file_bytes) {
  return std::min(kMaxVocabularyTokens, 4096 + file_bytes / 4);
}

}  // namespace pedro
