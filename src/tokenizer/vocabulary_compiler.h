#pragma once

#include <vector>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Compiles the block of a Vocabulary.
///
/// Replaces a list of merges by ranks of tokens: two symbols merge exactly if their joined bytes
/// are a token with a rank (see ranks_of_made()). Omits tokens that merges never produce. With
/// ignore_merges and byte symbols, these tokens only match whole pieces. For tokens with the same
/// bytes, a produced one is found, else the first.
///
/// Errors (kUsage): no tokens, more than 16 million tokens, more than 1 GiB of bytes, more than 268
/// million merges, invalid ids, or a merge that does not produce its result.
Result<std::vector<char>> compile_vocabulary(const VocabularySource& source);

}  // namespace pedro
