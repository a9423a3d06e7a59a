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
/// UTF-8 character. Its id is found afterwards: the count of tokens tells how many are missing, the
/// text and the pieces of the known ids tell their bytes, and the vocabulary has the ids.
class StreamedTokens {
 public:
  /// Takes an event: its text, its ids, and the number of all tokens so far (0: not told).
  void add(std::string_view text, std::span<const TokenId> ids, long long predicted);

  /// How many tokens there are, the missing ones included.
  long long count() const { return count_; }

  struct Recovered {
    std::vector<TokenId> ids;
    /// How many of the first ids are certainly the server's. The others have the same text; the
    /// server has to evaluate them once more.
    std::size_t exact = kAll;
    bool is_cut = false;  ///< tokens at the end are left out, whose text was never sent
  };
  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);
  /// Errors are the tokenizer's.
  Result<Recovered> recover(Tokenizer& tokenizer) const;

 private:
  /// Ids of which some are missing, and their text.
  struct Gap {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string text;
  };

  std::vector<TokenId> ids_;  // kMissing where one is missing
  std::vector<Gap> gaps_;
  std::size_t sent_ = 0;  // ids whose text was sent
  bool has_gap_ = false;  // behind these
  long long count_ = 0;
};

}  // namespace pedro
