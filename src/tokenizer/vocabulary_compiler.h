#pragma once

#include <vector>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// The block of a Vocabulary.
///
/// Two lists of merges need not be kept, for two tokens merge exactly if their bytes together are a
/// token:
/// - one that makes tokens in the order of their ids, each of tokens with lower ones: a token's
///   bytes, standing between two borders of tokens, have been merged as they would be alone by the
///   time its rank comes. Tokens that the merges never make are left out, or with ignore_merges
///   found as whole pieces only
/// - one in the order of ids that names every pair of tokens whose bytes are a token
///
/// An Error (kUsage) says what of the source makes no vocabulary: no token, more than 16 million of
/// them, more than 1 GiB of bytes, ids that are none, a merge that does not make its result.
Result<std::vector<char>> compile_vocabulary(const VocabularySource& source);

}  // namespace pedro
