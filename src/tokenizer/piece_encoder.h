#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "tokenizer/merging.h"
#include "tokenizer/scanner.h"
#include "tokenizer/vocabulary.h"
#include "tokenizer/word_cache.h"

namespace pedro {

/// Text without special tokens, normalized, to token ids: cuts it into pieces and merges each.
/// Keeps its memory, and what short pieces were made of, from text to text. Borrows the vocabulary.
/// One thread.
class PieceEncoder {
 public:
  PieceEncoder(const Vocabulary& vocabulary, ScanPieces scan);

  void encode(std::string_view text, std::vector<TokenId>& out);
  std::size_t count(std::string_view text);

 private:
  template <typename Out>
  void run(std::string_view text, Out& out);
  void merge(const char* at, std::size_t size);
  void split(const char* at, std::size_t size);
  void add_bytes(const char* at, std::size_t size);

  const Vocabulary& vocabulary_;
  ScanPieces scan_;
  WordCache cache_;
  Merging merging_;
  std::vector<Symbol> symbols_;
  std::vector<TokenId> ids_;  // of the last piece that was merged
};

}  // namespace pedro
