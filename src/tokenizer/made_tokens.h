#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tokenizer/piece_table.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Computes a rank for each token that the merges of a source produce from text, and kNeverMerged
/// for all others. With these ranks two symbols merge exactly if their joined bytes are a token
/// with a rank. The list of pairs is then redundant. This holds for every list with any order and
/// any pairs, because merging always applies the earliest merge, and the leftmost of its pairs:
/// - Merging between two symbol boundaries is the same as merging these bytes alone. Boundaries
/// only disappear, so no merge crosses a remaining one. If the first of all pairs is between them,
/// it is also the first of the pairs between them.
/// - A token is therefore only produced as from its own bytes alone: by one pair, or never, if they
/// merge differently. A token's rank is the position of that merge.
/// - Two adjacent symbols whose joined bytes are a token with a rank are therefore that pair.
/// Conversely, if the list has a merge for two symbols, its result has a rank.
///
/// `symbols` contains the tokens that are initial symbols; see split_into_symbols(). Ranks are the
/// ids if both have the same order, else consecutive numbers from 0. Requires merges of existing
/// tokens; each must produce its result.
std::vector<std::uint32_t> ranks_of_made(const VocabularySource& source,
                                         std::span<const TokenId> byte_tokens,
                                         const PieceTable& symbols);

}  // namespace pedro
