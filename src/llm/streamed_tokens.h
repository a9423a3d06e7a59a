#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/token_id.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// The tokens of a streamed completion. llama-server sends no event for a token that ends inside a
/// UTF-8 character. This class recovers the ids: the token count gives their number, the text gives
/// their bytes, and the vocabulary maps bytes to ids.
class StreamedTokens {
 public:
  /// Adds an event: its text, its ids, and the total number of tokens so far (0: unknown).
  void add(std::string_view text, std::span<const TokenId> ids, long long predicted);

  /// Returns the number of tokens, including missing ones.
  long long count() const { return count_; }

  struct Recovered {
    std::vector<TokenId> ids;
    /// The number of leading ids that are exact. Later ids have the same text, but the
    /// server must evaluate them again.
    std::size_t exact = kAll;
    bool is_cut = false;  ///< omits final tokens whose text was never sent
  };
  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);
  /// Returns the errors of the tokenizer.
  Result<Recovered> recover(Tokenizer& tokenizer) const;

 private:
  /// A run of ids with missing ones, and its text.
  struct Gap {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string text;
  };

  std::vector<TokenId> ids_;  // kMissing for unknown ids
  std::vector<Gap> gaps_;
  std::size_t sent_ = 0;  // ids whose text was sent
  bool has_gap_ = false;  // missing ids after these
  long long count_ = 0;
};

}  // namespace pedro
