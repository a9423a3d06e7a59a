#include "tokenizer/vocabulary_block.h"

#include <cstring>

#include "tokenizer/piece_table.h"

namespace pedro {
namespace {

constexpr char kBlockMagic[8] = {'P', 'E', 'D', 'R', 'O', 'V', 'O', 'C'};
constexpr std::uint32_t kVersion = 4;
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::size_t kAlignment = 16;

struct Extent {
  std::uint64_t begin = 0;  ///< in the block
  std::uint64_t size = 0;
};

struct Header {
  char magic[8] = {};
  std::uint32_t version = kVersion;
  std::uint32_t byte_order = kByteOrder;
  std::uint64_t size = 0;      ///< of the block
  std::uint64_t checksum = 0;  ///< of the bytes after this field
  Extent parts[kBlockParts];
};
constexpr std::size_t kChecked = offsetof(Header, parts);

// Computes four independent sums, so that the multiplications overlap.
std::uint64_t checksum_of(std::string_view bytes) {
  using piece_table::kFactor;
  using piece_table::mixed;
  std::uint64_t sums[4] = {1, 2, 3, bytes.size()};
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 32; at += 32, left -= 32) {
    for (int i = 0; i < 4; ++i)
      sums[i] = mixed(sums[i] ^ piece_table::load(at + 8 * i, 8), kFactor);
  }
  for (; left > 0; --left, ++at) {
    sums[0] = mixed(sums[0] ^ static_cast<unsigned char>(*at), kFactor);
  }
  return mixed(sums[0] ^ mixed(sums[1], kFactor + 2), mixed(sums[2], kFactor + 4) ^ sums[3]);
}

std::size_t aligned(std::size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

Error damaged(const char* why) {
  return Error{ErrorKind::kUsage, why};
}

}  // namespace

std::vector<char> make_block(const std::vector<char> (&parts)[kBlockParts]) {
  Header header;
  std::memcpy(header.magic, kBlockMagic, sizeof kBlockMagic);
  std::size_t size = aligned(sizeof header);
  for (std::size_t i = 0; i < kBlockParts; ++i) {
    header.parts[i] = {size, parts[i].size()};
    size = aligned(size + parts[i].size());
  }
  header.size = size;
  std::vector<char> block(size);
  for (std::size_t i = 0; i < kBlockParts; ++i) {
    if (!parts[i].empty()) {
      std::memcpy(block.data() + header.parts[i].begin, parts[i].data(), parts[i].size());
    }
  }
  std::memcpy(block.data(), &header, sizeof header);
  header.checksum = checksum_of(std::string_view(block.data(), size).substr(kChecked));
  std::memcpy(block.data(), &header, sizeof header);
  return block;
}

Result<BlockView> read_block(std::string_view block) {
  Header header;
  if (block.size() < sizeof header) return damaged("is too short for a compiled vocabulary");
  std::memcpy(&header, block.data(), sizeof header);
  if (std::memcmp(header.magic, kBlockMagic, sizeof kBlockMagic) != 0) {
    return damaged("is not a compiled vocabulary");
  }
  if (header.version != kVersion || header.byte_order != kByteOrder) {
    return damaged("is a compiled vocabulary of another version or machine");
  }
  if (header.size != block.size()) return damaged("is truncated, or has trailing data");
  if (header.checksum != checksum_of(block.substr(kChecked))) return damaged("is damaged");
  BlockView view;
  for (std::size_t i = 0; i < kBlockParts; ++i) {
    const auto& [begin, size] = header.parts[i];
    if (begin % kAlignment != 0 || begin > block.size() || size > block.size() - begin) {
      return damaged("is damaged");
    }
    view.parts[i] = block.substr(begin, size);
  }
  return view;
}

}  // namespace pedro
