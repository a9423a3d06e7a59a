
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/utf8.h"
#include "tokenizer/merging.h"
#include "tokenizer/piece_table.h"
#include "tokenizer/rank_queue.h"
#include "tokenizer/symbol_split.h"
#include "tokenizer/vocabulary.h"
#include "tokenizer/vocabulary_block.h"

namespace pedro {
namespace {

/// An index of merge positions by their two tokens.
class MergeIndex {
 public:
  explicit MergeIndex(const VocabularySource& source) : starts_(source.tokens.size() + 1) {
    for (const Merge& merge : source.merges) ++starts_[static_cast<std::size_t>(merge.left)];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    entries_.resize(source.merges.size());
    for (auto place = static_cast<std::uint32_t>(source.merges.size()); place-- > 0;) {
      const Merge& merge = source.merges[place];
      entries_[--starts_[static_cast<std::size_t>(merge.left)]] = {merge.right, place};
    }
    for (std::size_t left = 0; left + 1 < starts_.size(); ++left) {
      std::sort(entries_.begin() + starts_[left], entries_.begin() + starts_[left + 1],
                [](const Entry& a, const Entry& b) {
                  return std::tie(a.right, a.place) < std::tie(b.right, b.place);
                });
    }
  }

  /// The first merge of the two tokens, or kNeverMerged.
  std::uint32_t find(TokenId left, TokenId right) const {
    if (left == -1) return kNeverMerged;
    const auto end = entries_.begin() + starts_[static_cast<std::size_t>(left) + 1];
    const auto at =
        std::lower_bound(entries_.begin() + starts_[static_cast<std::size_t>(left)], end, right,
                         [](const Entry& entry, TokenId wanted) { return entry.right < wanted; });
    return at != end && at->right == right ? at->place : kNeverMerged;
  }

 private:
  struct Entry {
    TokenId right = 0;
    std::uint32_t place = 0;
  };

  std::vector<std::uint32_t> starts_;  // in entries_, by left token
  std::vector<Entry> entries_;
};

/// Merges two symbols by the list, except for a result of `size` bytes: that merge is only stored
/// in `last`.
struct MergedBefore {
  const MergeIndex& index;
  const std::vector<Merge>& merges;
  std::size_t size;
  std::uint32_t& last;

  Merged operator()(const Symbol& left, const Symbol& right) const {
    const std::uint32_t place = index.find(left.id, right.id);
    if (place == kNeverMerged) return {};
    if (left.size + right.size < size) return {place, merges[place].result};
    last = place;
    return {};
  }
};

/// The position of the merge that produces each token, or kNeverMerged.
std::vector<std::uint32_t> last_merges(const VocabularySource& source,
                                       std::span<const TokenId> byte_tokens,
                                       const PieceTable& symbols) {
  const MergeIndex index(source);
  std::vector<bool> named(source.tokens.size());
  for (const Merge& merge : source.merges) named[static_cast<std::size_t>(merge.result)] = true;
  std::vector<std::uint32_t> places(source.tokens.size(), kNeverMerged);
  std::vector<Symbol> parts;
  Merging merging;
  for (std::size_t id = 0; id < places.size(); ++id) {
    if (!named[id]) continue;
    const std::string_view bytes = source.tokens[id].bytes;
    std::uint32_t last = kNeverMerged;
    split_into_symbols(source.symbols, byte_tokens, symbols, bytes.data(), bytes.size(), parts);
    merging.run(parts, MergedBefore{index, source.merges, bytes.size(), last});
    if (last == kNeverMerged) continue;
    if (source.merges[last].result == static_cast<TokenId>(id)) places[id] = last;
  }
  return places;
}

// Computes a rank for each token that the merges of a source produce from text, and kNeverMerged
// for all others. With these ranks two symbols merge exactly if their joined bytes are a token with
// a rank. The list of pairs is then redundant. This holds for every list with any order and any
// pairs. Merging always applies the earliest merge, and the leftmost of its pairs.
// - Merging between two symbol boundaries is the same as merging these bytes alone. Boundaries
// only disappear, so no merge crosses a remaining one. If the first of all pairs is between them,
// it is also the first of the pairs between them.
// - A token is thus produced as from its own bytes alone: by one pair, or never, if they
// merge differently. A token's rank is the position of that merge.
// - Two adjacent symbols whose joined bytes are a token with a rank are therefore that pair.
// Conversely, if the list has a merge for two symbols, its result has a rank.
//
// `symbols` contains the tokens that are initial symbols; see split_into_symbols(). Ranks are the
// ids if both have the same order, else consecutive numbers from 0. Requires merges of existing
// tokens; each must produce its result.
std::vector<std::uint32_t> ranks_of_made(const VocabularySource& source,
                                         std::span<const TokenId> byte_tokens,
                                         const PieceTable& symbols) {
  const std::vector<std::uint32_t> places = last_merges(source, byte_tokens, symbols);
  std::vector<std::uint32_t> made;
  for (std::uint32_t id = 0; id < places.size(); ++id) {
    if (places[id] != kNeverMerged) made.push_back(id);
  }
  const auto earlier = [&](std::uint32_t a, std::uint32_t b) { return places[a] < places[b]; };
  const bool in_order_of_ids = std::is_sorted(made.begin(), made.end(), earlier);
  if (!in_order_of_ids) std::sort(made.begin(), made.end(), earlier);
  std::vector<std::uint32_t> ranks(places.size(), kNeverMerged);
  for (std::uint32_t i = 0; i < made.size(); ++i) ranks[made[i]] = in_order_of_ids ? made[i] : i;
  return ranks;
}

constexpr std::size_t kMaxTokens = std::size_t{1} << 24;
constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

// Keeps a fifth of the slots empty.
std::size_t slots_for(std::size_t entries) {
  return std::max(entries + entries / 4 + 1, PieceTable::kGroup);
}

template <typename T>
std::vector<char> bytes_of(const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<char> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

class Compiler {
 public:
  explicit Compiler(const VocabularySource& source) : source_(source) {}

  Result<std::vector<char>> compile() {
    Status status = check_sizes();
    if (status) status = check_ids();
    if (!status) return status.error();
    lay_out_tokens();
    find_byte_tokens();
    make_piece_table();
    return make_block(parts());
  }

 private:
  using Parts = std::vector<char>[kBlockParts];

  Status check_sizes() const {
    if (source_.tokens.empty()) return usage_error("a vocabulary without tokens");
    if (source_.tokens.size() > kMaxTokens) return usage_error("more than 16 million tokens");
    if (source_.merges.size() > RankQueue::kMaxRank)
      return usage_error("more than 268 million merges");
    std::size_t bytes = 0;
    for (const SourceToken token : source_.tokens) bytes += token.bytes.size();
    if (bytes > kMaxBytes) return usage_error("more than 1 GiB of tokens");
    return {};
  }

  bool has(TokenId id) const {
    return id >= 0 && static_cast<std::size_t>(id) < source_.tokens.size();
  }
  std::string_view piece(TokenId id) const {
    return source_.tokens[static_cast<std::size_t>(id)].bytes;
  }
  bool makes(const Merge& merge) const {
    const std::string_view left = piece(merge.left);
    const std::string_view right = piece(merge.right);
    const std::string_view result = piece(merge.result);
    return result.size() == left.size() + right.size() && result.starts_with(left) &&
           result.ends_with(right);
  }

  Status check_ids() const {
    for (const auto& [name, id] :
         {std::pair("bos", source_.bos), {"eos", source_.eos}, {"unknown", source_.unknown}}) {
      if (id && !has(*id))
        return usage_error(fmt::format("the {} token is {}, which does not exist", name, *id));
    }
    for (std::size_t i = 0; i < source_.merges.size(); ++i) {
      const Merge& merge = source_.merges[i];
      const bool tokens = has(merge.left) && has(merge.right) && has(merge.result);
      if (!tokens || !makes(merge)) {
        return usage_error(fmt::format("merge {} does not make a token", i));
      }
    }
    return {};
  }

  void lay_out_tokens() {
    offsets_.push_back(0);
    for (const SourceToken token : source_.tokens) {
      bytes_.insert(bytes_.end(), token.bytes.begin(), token.bytes.end());
      offsets_.push_back(static_cast<std::uint32_t>(bytes_.size()));
      kinds_.push_back(static_cast<std::uint8_t>(token.kind));
    }
    for (const TokenId id : source_.strip_behind) {
      if (has(id)) kinds_[static_cast<std::size_t>(id)] |= Vocabulary::kStripBehind;
    }
    for (TokenId id = 0; has(id); ++id) {
      const TokenKind kind = source_.tokens[static_cast<std::size_t>(id)].kind;
      const bool special = kind == TokenKind::kControl || kind == TokenKind::kUnknown ||
                           kind == TokenKind::kUserDefined;
      if (special && !piece(id).empty()) specials_.push_back(id);
    }
    std::stable_sort(specials_.begin(), specials_.end(),
                     [&](TokenId a, TokenId b) { return piece(a).size() > piece(b).size(); });
  }

  // Returns true if text can become the token: a normal or user-defined one. User-defined texts are
  // plain text if special tokens are not recognized. llama.cpp merges characters to tokens of any
  // kind except bytes (observed on a server).
  bool is_text(TokenId id) const {
    const TokenKind kind = source_.tokens[static_cast<std::size_t>(id)].kind;
    const bool any_kind = source_.fidelity == Fidelity::kLlamaCpp &&
                          source_.symbols == Symbols::kCharacters && source_.merges.empty();
    if (any_kind) return kind != TokenKind::kByte && !piece(id).empty();
    return (kind == TokenKind::kNormal || kind == TokenKind::kUserDefined) && !piece(id).empty();
  }

  void find_byte_tokens() {
    const TokenKind kind =
        source_.symbols == Symbols::kBytes ? TokenKind::kNormal : TokenKind::kByte;
    for (TokenId id = 0; has(id); ++id) {
      const std::string_view bytes = piece(id);
      if (bytes.size() != 1 || source_.tokens[static_cast<std::size_t>(id)].kind != kind) continue;
      TokenId& of_byte = byte_tokens_[static_cast<unsigned char>(bytes[0])];
      if (of_byte == -1) of_byte = id;
    }
  }

  // Ranks without a list of merges: by id (bytes) or by score (characters).
  std::vector<std::uint32_t> ranks_of_all() const {
    std::vector<std::uint32_t> ranks(source_.tokens.size());
    if (source_.symbols == Symbols::kBytes) {
      std::iota(ranks.begin(), ranks.end(), 0u);
      return ranks;
    }
    std::set<float, std::greater<>> scores;
    for (const SourceToken token : source_.tokens) scores.insert(token.score);
    std::map<float, std::uint32_t> rank_of;
    for (const float score : scores) rank_of.emplace(score, rank_of.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = rank_of.at(source_.tokens[i].score);
    return ranks;
  }

  bool is_symbol(TokenId id) const {
    const std::string_view bytes = piece(id);
    return bytes.size() == 1 ||
           (source_.symbols == Symbols::kCharacters && utf8_sequence_length(bytes) == bytes.size());
  }

  template <typename Wanted>
  void insert_text(Wanted wanted) {
    for (TokenId id = 0; has(id); ++id) {
      if (is_text(id) && wanted(id)) insert(id);
    }
  }

  void make_piece_table() {
    slots_.assign(slots_for(source_.tokens.size()), {});
    tags_.assign(slots_.size() + PieceTable::kGroup, PieceTable::kEmpty);
    if (source_.merges.empty()) {
      ranks_ = ranks_of_all();
      insert_text([](TokenId) { return true; });
      return;
    }
    ranks_.assign(source_.tokens.size(), kNeverMerged);
    insert_text([this](TokenId id) { return is_symbol(id); });
    ranks_ = ranks_of_made(source_, byte_tokens_, table());
    for (TokenId id = 0; has(id); ++id) {
      if (rank_of(id) != kNeverMerged) insert(id);
    }
    const bool whole = source_.ignore_merges && source_.symbols == Symbols::kBytes;
    if (whole) insert_text([](TokenId) { return true; });
  }

  std::uint32_t rank_of(TokenId id) const { return ranks_[static_cast<std::size_t>(id)]; }

  bool ranks_are_ids() const {
    for (TokenId id = 0; has(id); ++id) {
      const std::uint32_t rank = rank_of(id);
      if (rank != kNeverMerged && rank != static_cast<std::uint32_t>(id)) return false;
    }
    return true;
  }

  PieceTable table() const { return {slots_, tags_, offsets_, bytes_.data()}; }

  // The first inserted token with the same bytes is kept.
  void insert(TokenId id) {
    const std::string_view bytes = piece(id);
    if (table().find(bytes.data(), bytes.size()) != nullptr) return;
    const std::uint64_t key = piece_key(bytes.data(), bytes.size());
    const std::uint64_t spread = spread_key(key);
    std::size_t i = first_slot(spread, slots_.size());
    while (tags_[i] != PieceTable::kEmpty) i = i + 1 == slots_.size() ? 0 : i + 1;
    slots_[i] = {key, id, rank_of(id)};
    tags_[i] = PieceTable::tag_of(spread);
    if (i < PieceTable::kGroup) tags_[slots_.size() + i] = tags_[i];
  }

  VocabularyFacts facts() const {
    VocabularyFacts facts;
    facts.symbols = source_.symbols;
    facts.fidelity = source_.fidelity;
    facts.whole_pieces = source_.symbols == Symbols::kBytes || !source_.merges.empty();
    facts.form = source_.form;
    facts.space_prefix = source_.space_prefix;
    facts.escape_spaces = source_.escape_spaces;
    facts.add_bos = source_.add_bos;
    facts.add_eos = source_.add_eos;
    facts.bos = source_.bos.value_or(-1);
    facts.eos = source_.eos.value_or(-1);
    facts.unknown = source_.unknown.value_or(-1);
    return facts;
  }

  // The pairs of adjacent bytes in all tokens, of any kind, which includes all that can merge. A
  // continuation byte is a neighbor of any byte.
  std::vector<std::uint64_t> neighbours() const {
    if (source_.symbols == Symbols::kBytes) return {};
    std::vector<std::uint64_t> bits(kBytePairCount / 64);
    const auto add = [&bits](std::size_t pair) {
      bits[pair / 64] |= std::uint64_t{1} << (pair % 64);
    };
    for (std::size_t pair = 0; pair < kBytePairCount; ++pair) {
      if ((pair & 0xC0) == 0x80) add(pair);
    }
    for (TokenId id = 0; has(id); ++id) {
      const std::string_view bytes = piece(id);
      for (std::size_t i = 1; i < bytes.size(); ++i) add(byte_pair(bytes[i - 1], bytes[i]));
    }
    return bits;
  }

  std::vector<char> strings() const {
    std::vector<char> out;
    const auto add = [&out](const std::string& text) {
      const auto size = static_cast<std::uint32_t>(text.size());
      const char* raw = reinterpret_cast<const char*>(&size);
      out.insert(out.end(), raw, raw + sizeof size);
      out.insert(out.end(), text.begin(), text.end());
    };
    add(source_.name);
    add(source_.origin);
    add(source_.pre_tokenizer.scanner);
    for (const std::string& pattern : source_.pre_tokenizer.patterns) add(pattern);
    return out;
  }

  std::vector<TokenId> byte_pairs() const {
    if (source_.symbols != Symbols::kBytes || !ranks_are_ids()) return {};
    std::vector<TokenId> pairs(kBytePairCount, -1);
    for (const PieceSlot& slot : slots_) {
      const std::string_view bytes = slot.key == 0 ? std::string_view() : piece(slot.id);
      if (bytes.size() != 2 || slot.rank == kNeverMerged) continue;
      pairs[byte_pair(bytes[0], bytes[1])] = slot.id;
    }
    return pairs;
  }

  const Parts& parts() {
    const std::vector<std::uint64_t> neighbours = this->neighbours();
    const auto part = [this](BlockPart which) -> std::vector<char>& {
      return parts_[static_cast<std::size_t>(which)];
    };
    part(BlockPart::kFacts) = bytes_of(std::vector{facts()});
    part(BlockPart::kStrings) = strings();
    part(BlockPart::kOffsets) = bytes_of(offsets_);
    part(BlockPart::kBytes) = std::move(bytes_);
    part(BlockPart::kKinds) = bytes_of(kinds_);
    part(BlockPart::kPieces) = bytes_of(slots_);
    part(BlockPart::kTags) = bytes_of(tags_);
    part(BlockPart::kByteTokens) = bytes_of(byte_tokens_);
    part(BlockPart::kBytePairs) = bytes_of(byte_pairs());
    part(BlockPart::kSpecials) = bytes_of(specials_);
    part(BlockPart::kNeighbours) = bytes_of(neighbours);
    return parts_;
  }

  const VocabularySource& source_;
  std::vector<std::uint32_t> offsets_;
  std::vector<char> bytes_;
  std::vector<std::uint8_t> kinds_;
  std::vector<std::uint32_t> ranks_;  // by id
  std::vector<PieceSlot> slots_;
  std::vector<std::uint8_t> tags_;
  std::vector<TokenId> byte_tokens_ = std::vector<TokenId>(kByteCount, -1);
  std::vector<TokenId> specials_;
  Parts parts_;
};

}  // namespace

Result<std::vector<char>> compile_vocabulary(const VocabularySource& source) {
  return Compiler(source).compile();
}

}  // namespace pedro
