#pragma once

#include <random>
#include <string>
#include <vector>

#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// A byte-level vocabulary as training makes one: all bytes, then tokens that merge two of those
/// before, over the letters a to d. Two pairs may make the same bytes, without `shuffled` only
/// where they follow each other; with it the ids of the merged tokens are in no order.
VocabularySource random_vocabulary(std::mt19937& random, std::size_t merges, bool shuffled);

/// Byte pair encoding as its definition has it: merge after merge, each everywhere, from the left.
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
