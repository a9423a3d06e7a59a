#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/merging.h"
#include "tokenizer/pattern_scanner.h"
#include "tokenizer/scanner.h"
#include "tokenizer/vocabulary.h"
#include "tokenizer/word_cache.h"

namespace pedro {

/// Encodes normalized text without special tokens: cuts it into pieces and merges each one. Reuses
/// its memory and caches the results of short pieces between texts. Borrows the constructor's
/// arguments. Not thread-safe.
class PieceEncoder {
 public:
  /// Cuts by `patterns` if not null, else by `scan`.
  PieceEncoder(const Vocabulary& vocabulary, ScanPieces scan, const PatternScanner* patterns);

  /// Appends the ids of the text. Errors are those of `patterns`. Requires less than 4 GiB.
  Status encode(std::string_view text, std::vector<TokenId>& out);
  /// Adds the number of ids to `count`.
  Status count(std::string_view text, std::size_t& count);

 private:
  template <typename Out>
  Status run(std::string_view text, Out& out);
  template <typename Out>
  const char* take(std::span<const std::uint32_t> lengths, const char* at, const char* end,
                   Out& out);
  std::size_t cut_apart(const char* at, const char* end, std::uint32_t* lengths,
                        std::size_t room) const;
  void merge(const char* at, std::size_t size);
  void add_bytes(const char* at, std::size_t size);

  const Vocabulary& vocabulary_;
  ScanPieces scan_;
  const PatternScanner* patterns_;
  bool cuts_lines_;     // between newlines and other text
  bool cuts_apart_;     // between bytes that no token contains together, instead of by scan_
  bool has_all_bytes_;  // a token for every byte
  WordCache cache_;
  Merging merging_;
  std::vector<Symbol> symbols_;
  std::vector<TokenId> ids_;  // of the last merged piece
  std::vector<std::uint32_t> ends_;
};

}  // namespace pedro
