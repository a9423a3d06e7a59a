#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tokenizer/piece_table.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// For every token its rank among those that a source's list of merges makes of text, kNeverMerged
/// for all others. With these ranks two symbols merge exactly if their bytes together are a token
/// that has one: the list itself, of pairs, is not needed any more. That is so for every list, in
/// whatever order its merges stand, and whatever pairs it names, because merging always takes the
/// pair of the earliest merge, of several the leftmost:
/// - What happens between two borders of symbols happens as it would to these bytes alone. Borders
///   only vanish, so no merge ever reached across them; and the first of all pairs, where it lies
///   between them, is the first of those between them.
/// - So a token is only ever made as its own bytes alone make it: by one pair, and none where they
///   end as something else. A token's rank is the place of that one merge.
/// - So where two symbols stand side by side whose bytes together are a token with a rank, they are
///   that pair; and where the list has a merge for them, its result has a rank.
///
/// `symbols` has the tokens that are symbols from the beginning, as split_into_symbols wants them.
/// Ranks are the ids themselves where these are in the same order, else numbers from 0 on. Requires
/// merges of tokens that there are, each of which makes its result.
std::vector<std::uint32_t> ranks_of_made(const VocabularySource& source,
                                         std::span<const TokenId> byte_tokens,
                                         const PieceTable& symbols);

}  // namespace pedro
