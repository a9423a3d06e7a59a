#include "tokenizer/vocabulary.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tokenizer/rank_queue.h"
#include "tokenizer/vocabulary_block.h"

namespace pedro {
namespace {

Error damaged() {
  return Error{ErrorKind::kUsage, "is damaged"};
}

// The elements of the part; ignores an incomplete last element.
template <typename T>
std::span<const T> span_of(std::string_view part) {
  return {reinterpret_cast<const T*>(part.data()), part.size() / sizeof(T)};
}

std::string_view part_of(const BlockView& view, BlockPart part) {
  return view.parts[static_cast<std::size_t>(part)];
}

}  // namespace

Result<Vocabulary> Vocabulary::compile(const VocabularySource& source) {
  PEDRO_TRY(std::vector<char> block, compile_vocabulary(source));
  return open(std::move(block));
}

Result<Vocabulary> Vocabulary::open(MappedFile block) {
  return read(Vocabulary(std::move(block)));
}

Result<Vocabulary> Vocabulary::open(std::vector<char> block) {
  return read(Vocabulary(std::move(block)));
}

std::string_view Vocabulary::bytes() const {
  if (const auto* file = std::get_if<MappedFile>(&block_)) return file->bytes();
  const auto& bytes = std::get<std::vector<char>>(block_);
  return {bytes.data(), bytes.size()};
}

Result<Vocabulary> Vocabulary::read(Vocabulary vocabulary) {
  PEDRO_TRY(const BlockView view, read_block(vocabulary.bytes()));
  const std::string_view facts = part_of(view, BlockPart::kFacts);
  if (facts.size() != sizeof(VocabularyFacts)) return damaged();
  std::memcpy(&vocabulary.facts_, facts.data(), facts.size());
  PEDRO_RETURN_IF_ERROR(vocabulary.read_strings(part_of(view, BlockPart::kStrings)));
  vocabulary.pieces_ = {span_of<PieceSlot>(part_of(view, BlockPart::kPieces)),
                        span_of<std::uint8_t>(part_of(view, BlockPart::kTags)),
                        span_of<std::uint32_t>(part_of(view, BlockPart::kOffsets)),
                        part_of(view, BlockPart::kBytes).data()};
  vocabulary.kinds_ = span_of<std::uint8_t>(part_of(view, BlockPart::kKinds));
  vocabulary.byte_tokens_ = span_of<TokenId>(part_of(view, BlockPart::kByteTokens));
  vocabulary.byte_pairs_ = span_of<TokenId>(part_of(view, BlockPart::kBytePairs));
  vocabulary.specials_ = span_of<TokenId>(part_of(view, BlockPart::kSpecials));
  vocabulary.neighbours_ = span_of<std::uint64_t>(part_of(view, BlockPart::kNeighbours));
  const auto& offsets = vocabulary.pieces_.offsets;
  if (offsets.empty() || offsets.back() != part_of(view, BlockPart::kBytes).size()) {
    return damaged();
  }
  PEDRO_RETURN_IF_ERROR(vocabulary.check());
  return vocabulary;
}

Status Vocabulary::read_strings(std::string_view part) {
  std::vector<std::string> strings;
  while (part.size() >= sizeof(std::uint32_t)) {
    std::uint32_t size = 0;
    std::memcpy(&size, part.data(), sizeof size);
    part.remove_prefix(sizeof size);
    if (size > part.size()) return damaged();
    strings.emplace_back(part.substr(0, size));
    part.remove_prefix(size);
  }
  if (strings.size() < 3) return damaged();
  name_ = strings[0];
  origin_ = strings[1];
  pre_tokenizer_.scanner = strings[2];
  pre_tokenizer_.patterns.assign(strings.begin() + 3, strings.end());
  return {};
}

// Checks that all indices in the tables are in range and that every search ends.
Status Vocabulary::check() const {
  const auto is_token = [&](TokenId id) { return has(id); };
  const auto is_token_or_none = [&](TokenId id) { return id == -1 || has(id); };
  const auto is_rank = [](std::uint32_t rank) {
    return rank <= RankQueue::kMaxRank || rank == kNeverMerged;
  };
  const bool sized = pieces_.offsets.size() == kinds_.size() + 1 &&
                     byte_tokens_.size() == kByteCount &&
                     (byte_pairs_.empty() || byte_pairs_.size() == kBytePairCount) &&
                     (neighbours_.empty() || neighbours_.size() == kBytePairCount / 64) &&
                     std::is_sorted(pieces_.offsets.begin(), pieces_.offsets.end());
  const bool ends =
      pieces_.tags.size() == pieces_.slots.size() + PieceTable::kGroup &&
      std::find(pieces_.tags.begin(), pieces_.tags.end(), PieceTable::kEmpty) != pieces_.tags.end();
  const bool inside =
      std::all_of(pieces_.slots.begin(), pieces_.slots.end(),
                  [&](const PieceSlot& slot) { return is_token(slot.id) && is_rank(slot.rank); }) &&
      std::all_of(byte_tokens_.begin(), byte_tokens_.end(), is_token_or_none) &&
      std::all_of(byte_pairs_.begin(), byte_pairs_.end(), is_token_or_none) &&
      std::all_of(specials_.begin(), specials_.end(), is_token);
  return sized && ends && inside ? Status() : Status(damaged());
}

std::optional<TokenId> Vocabulary::id_of(std::string_view bytes) const {
  if (bytes.empty()) return std::nullopt;
  if (const PieceSlot* slot = pieces_.find(bytes.data(), bytes.size())) return slot->id;
  const auto special = std::find_if(specials_.begin(), specials_.end(),
                                    [&](TokenId id) { return piece(id) == bytes; });
  if (special == specials_.end()) return std::nullopt;
  return *special;
}

}  // namespace pedro
