#pragma once

#include <random>
#include <string>
#include <vector>

#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// The order of merges.
enum class MergeOrder {
  kOfIds,     ///< the order of training; pairs that make the same token are adjacent
  kNotOfIds,  ///< as above, but with shuffled ids; pairs that make the same token may be apart
  kAny,       ///< any order: a token's parts may be made after it
};

struct RandomMerges {
  std::size_t merges = 0;
  MergeOrder order = MergeOrder::kOfIds;
  Symbols symbols = Symbols::kBytes;
};

/// Builds a vocabulary: all bytes, tokens that merge two others, and some tokens without merges.
/// Uses the letters a to d if symbols are bytes, else a, b and e with an acute accent.
VocabularySource random_vocabulary(std::mt19937& random, const RandomMerges& wanted);

/// Byte pair encoding by definition: always applies the first applicable merge of the list, from
/// the left. For sources from random_vocabulary().
std::vector<TokenId> slow_bpe(const VocabularySource& source, const std::string& piece);

/// Builds a SentencePiece vocabulary with scores in random order and all bytes as fallback. It
/// contains some of the letters a to d, and pieces of up to 6 such letters.
VocabularySource random_scores(std::mt19937& random, std::size_t pieces);

/// Merging by score by definition: always merges the two neighbours whose joined text is the token
/// with the highest score, the leftmost of equals. For sources from random_scores().
std::vector<TokenId> slow_scored(const VocabularySource& source, const std::string& text);

/// Returns a random text of the letters a to d.
std::string random_letters(std::mt19937& random, std::size_t size);

}  // namespace pedro
