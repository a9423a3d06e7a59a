#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tokenizer/merging.h"
#include "tokenizer/piece_table.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// What a piece's merging begins with, in `symbols`: its bytes, with the tokens of `byte_tokens`,
/// or its characters (a byte that begins none by itself), with those of `table`; -1 where there is
/// none. A part of the piece between two borders of symbols is split as it would be alone.
void split_into_symbols(Symbols kind, std::span<const TokenId> byte_tokens, const PieceTable& table,
                        const char* at, std::size_t size, std::vector<Symbol>& symbols);

}  // namespace pedro
