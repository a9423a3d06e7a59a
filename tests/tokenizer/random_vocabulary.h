#pragma once

#include <random>
#include <string>
#include <vector>

#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// How merges follow each other.
enum class MergeOrder {
  kOfIds,     ///< as training makes them; where two pairs make the same token, they stand together
  kNotOfIds,  ///< likewise, but ids are in no order, and a token's pairs stand anywhere
  kAny,       ///< so that parts of tokens may be made later than these
};

struct RandomMerges {
  std::size_t merges = 0;
  MergeOrder order = MergeOrder::kOfIds;
  Symbols symbols = Symbols::kBytes;
};

/// All bytes, then tokens that merge two others, then some more that no merge names. Over the
/// letters a to d where symbols are bytes, else over a, b and e with an acute accent.
VocabularySource random_vocabulary(std::mt19937& random, const RandomMerges& wanted);

/// Byte pair encoding as its definition has it: always the first merge of the list whose pair is
/// there, and that from the left. Of a source that random_vocabulary made.
std::vector<TokenId> slow_bpe(const VocabularySource& source, const std::string& piece);

/// A vocabulary of characters with scores in no order and all bytes to fall back to, as
/// SentencePiece has them: some of the letters a to d, and pieces of them of up to 6 letters.
VocabularySource random_scores(std::mt19937& random, std::size_t pieces);

/// Merging by score as its definition has it: always the two neighbours whose text together is the
/// token of the highest score, of several the leftmost. Of a source that random_scores made.
std::vector<TokenId> slow_scored(const VocabularySource& source, const std::string& text);

/// A text of the letters a to d.
std::string random_letters(std::mt19937& random, std::size_t size);

}  // namespace pedro
