#pragma once

#include <vector>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// The block of a Vocabulary.
///
/// A list of merges is not kept: ranks of tokens stand for it, with which two symbols merge exactly
/// if their bytes together are a token (ranks_of_made says why). Tokens that the merges never make
/// are left out, or with ignore_merges, where symbols are bytes, found as whole pieces only. Of
/// tokens with the same bytes the one that is made is found, else the first.
///
/// An Error (kUsage) says what of the source makes no vocabulary: no token, more than 16 million of
/// them, more than 1 GiB of bytes, more than 268 million merges, ids that are none, a merge that
/// does not make its result.
Result<std::vector<char>> compile_vocabulary(const VocabularySource& source);

}  // namespace pedro
