#include "tokenizer/symbol_split.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/utf8.h"

namespace pedro {

void split_into_symbols(Symbols kind, std::span<const TokenId> byte_tokens, const PieceTable& table,
                        const char* at, std::size_t size, std::vector<Symbol>& symbols) {
  symbols.clear();
  if (kind == Symbols::kBytes) {
    for (std::uint32_t i = 0; i < size; ++i) {
      symbols.push_back({i, 1, byte_tokens[static_cast<unsigned char>(at[i])]});
    }
    return;
  }
  for (std::uint32_t i = 0; i < size;) {
    const std::string_view rest(at + i, std::min<std::size_t>(size - i, 4));
    const auto bytes =
        static_cast<std::uint32_t>(std::max<std::size_t>(utf8_sequence_length(rest), 1));
    const PieceSlot* slot = table.find(at + i, bytes);
    symbols.push_back({i, bytes, slot == nullptr ? -1 : slot->id});
    i += bytes;
  }
}

}  // namespace pedro
