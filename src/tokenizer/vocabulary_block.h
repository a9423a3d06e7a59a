#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// The parts of a vocabulary block in order.
enum class BlockPart : std::uint8_t {
  kFacts,       ///< one VocabularyFacts
  kStrings,     ///< name, origin, scanner, patterns: each with its size (u32)
  kOffsets,     ///< u32, one more than tokens
  kBytes,       ///< of all tokens
  kKinds,       ///< u8 per token
  kPieces,      ///< PieceSlot
  kTags,        ///< u8 per PieceSlot, then the first kGroup again
  kByteTokens,  ///< TokenId, 256
  kBytePairs,   ///< TokenId, 65,536 or none
  kSpecials,    ///< TokenId
  kNeighbours,  ///< u64, 1,024 or none: one bit per pair of bytes
};
inline constexpr std::size_t kBlockParts = 11;

/// Builds a block: a header (magic number, version, size, checksum, positions of parts) and the
/// parts, aligned to 16 bytes.
std::vector<char> make_block(const std::vector<char> (&parts)[kBlockParts]);

/// The parts of a block. Errors of read_block() (kUsage): not a block, another version or machine,
/// truncated, damaged. The 64-bit checksum (pedrocli's own) detects accidental damage, not forgery.
struct BlockView {
  std::string_view parts[kBlockParts];
};
Result<BlockView> read_block(std::string_view block);

/// Compiles the block of a Vocabulary.
///
/// Replaces a list of merges by ranks of tokens (see ranks_of_made()). Two symbols merge exactly if
/// their joined bytes are a token with a rank. Omits tokens that merges never produce. With
/// ignore_merges and byte symbols, these tokens only match whole pieces. For tokens with the same
/// bytes, a produced one is found, else the first.
///
/// Errors (kUsage): no tokens, invalid ids, or a merge that does not produce its result. Also more
/// than 16 million tokens, 1 GiB of bytes or 268 million merges.
Result<std::vector<char>> compile_vocabulary(const VocabularySource& source);

}  // namespace pedro
