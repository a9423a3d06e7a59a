#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

/// The parts of a vocabulary's block, in this order.
enum class BlockPart : std::uint8_t {
  kFacts,       ///< one VocabularyFacts
  kStrings,     ///< name, origin, scanner, patterns: each its size (u32) and its bytes
  kOffsets,     ///< u32, one more than there are tokens
  kBytes,       ///< of all tokens
  kKinds,       ///< u8 for each token
  kPieces,      ///< PieceSlot
  kTags,        ///< u8 for each PieceSlot, and the first kGroup again
  kByteTokens,  ///< TokenId, 256
  kBytePairs,   ///< TokenId, 65,536; or none
  kSpecials,    ///< TokenId
  kNeighbours,  ///< u64, 1,024: a bit for every two bytes; or none
};
inline constexpr std::size_t kBlockParts = 11;

/// Puts parts together to a block: a header (magic number, version, size, checksum, where the parts
/// are) and the parts, each aligned to 16 bytes.
std::vector<char> make_block(const std::vector<char> (&parts)[kBlockParts]);

/// The parts of a block. Errors (kUsage): it is none, of another version or machine, cut short,
/// damaged. The checksum (64 bits, our own) finds accidents, not forgery.
struct BlockView {
  std::string_view parts[kBlockParts];
};
Result<BlockView> read_block(std::string_view block);

}  // namespace pedro
