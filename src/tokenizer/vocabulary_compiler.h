#pragma once

#include <vector>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// The block of a Vocabulary.
///
/// Where a list of merges makes tokens in the order of their ids, two tokens merge exactly if their
/// bytes together are a token: the list is then not kept, and tokens that the merges never make are
/// left out, or with ignore_merges found as whole pieces only. (A token's bytes, standing between
/// two borders of tokens, have been merged as they would be alone by the time its rank comes.)
///
/// An Error (kUsage) says what of the source makes no vocabulary: no token, more than 16 million of
/// them, more than 1 GiB of bytes, ids that are none, a merge that does not make its result.
Result<std::vector<char>> compile_vocabulary(const VocabularySource& source);

}  // namespace pedro
