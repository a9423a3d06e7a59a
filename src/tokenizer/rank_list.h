#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json_cursor.h"
#include "base/result.h"
#include "tokenizer/token_list.h"

namespace pedro {

/// Puts tokens into a list by the ranks that a file gives them, within what the file's size pays
/// for. Borrows the list. Errors (kConfig) do not say where in the file.
class RankList {
 public:
  /// Of the ranks only those below `kept` come into the list. `specials` is how many special
  /// tokens will, at most; there is room for them in it.
  RankList(std::size_t kept, std::size_t specials, std::size_t file_bytes, TokenList& tokens);

  /// There will be about so many ranks, and text. Ranks far above their number are then refused: a
  /// number that is left out takes memory too.
  void reserve(std::size_t ranks, std::size_t text_bytes);

  Status add(std::int64_t rank, std::string_view base64);

  /// No rank may be this high.
  std::size_t end() const { return end_; }

 private:
  std::size_t kept_;
  std::size_t specials_;
  std::size_t end_;
  TokenList& tokens_;
  std::string bytes_;
};

/// tiktoken's way to write ranks into one JSON string, the next value of `json`: lines of "!", the
/// first rank, and base64 of the tokens from that rank on, with blanks between them. `file` is the
/// text that `json` reads; an Error is "/bpe_ranks: byte 7: what is wrong", or as of JsonCursor.
Status read_bpe_ranks(JsonCursor json, std::string_view file, RankList& ranks);

}  // namespace pedro
