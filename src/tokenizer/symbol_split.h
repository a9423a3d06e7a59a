#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tokenizer/merging.h"
#include "tokenizer/piece_table.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Writes the initial symbols of a piece to `symbols`. These are its bytes with the tokens of
/// `byte_tokens`, or its characters with those of `table`. A byte that is not UTF-8 is one
/// character. Symbols without a token have id -1. Any part of the piece between two symbol
/// boundaries is split like the same bytes alone.
void split_into_symbols(Symbols kind, std::span<const TokenId> byte_tokens, const PieceTable& table,
                        const char* at, std::size_t size, std::vector<Symbol>& symbols);

}  // namespace pedro
