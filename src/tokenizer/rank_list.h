#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json_cursor.h"
#include "base/result.h"
#include "tokenizer/token_list.h"

namespace pedro {

/// Adds tokens to a list by the ranks of a file. Limits memory by the size of the file. Borrows the
/// list. Errors (kConfig) do not name a position in the file.
class RankList {
 public:
  /// Keeps only ranks below `kept`. `specials` is the maximum number of special tokens; the list
  /// reserves memory for them.
  RankList(std::size_t kept, std::size_t specials, std::size_t file_bytes, TokenList& tokens);

  /// Reserves memory for an estimated number of ranks and bytes of text. Rejects ranks far above
  /// `ranks` afterwards, because unused ids take memory too.
  void reserve(std::size_t ranks, std::size_t text_bytes);

  Status add(std::int64_t rank, std::string_view base64);

  /// The exclusive upper bound of ranks.
  std::size_t end() const { return end_; }

 private:
  std::size_t kept_;
  std::size_t specials_;
  std::size_t end_;
  TokenList& tokens_;
  std::string bytes_;
};

/// Reads tiktoken's encoding of ranks in a JSON string, the next value of `json`. Each line has
/// "!", the first rank, and the tokens from that rank on in base64, separated by spaces. `file` is
/// the text that `json` reads. An Error is "/bpe_ranks: byte 7: reason" or one of JsonCursor.
Status read_bpe_ranks(JsonCursor json, std::string_view file, RankList& ranks);

}  // namespace pedro
