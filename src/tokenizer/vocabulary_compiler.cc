#include "tokenizer/vocabulary_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tokenizer/merging.h"
#include "tokenizer/vocabulary.h"
#include "tokenizer/vocabulary_block.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTokens = std::size_t{1} << 24;
constexpr std::size_t kMaxBytes = std::size_t{1} << 30;
constexpr std::size_t kByteCount = 256;

// A fifth of the slots stays empty.
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

Error wrong(std::string why) {
  return Error{ErrorKind::kUsage, std::move(why)};
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
    if (!source_.merges.empty() && !merges_by_bytes_) make_merge_table();
    return make_block(parts());
  }

 private:
  using Parts = std::vector<char>[kBlockParts];

  Status check_sizes() const {
    if (source_.tokens.empty()) return wrong("a vocabulary without tokens");
    if (source_.tokens.size() > kMaxTokens) return wrong("more than 16 million tokens");
    std::size_t bytes = 0;
    for (const SourceToken token : source_.tokens) bytes += token.bytes.size();
    if (bytes > kMaxBytes) return wrong("more than 1 GiB of tokens");
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
        return wrong(fmt::format("the {} token is {}, which is none", name, *id));
    }
    for (std::size_t i = 0; i < source_.merges.size(); ++i) {
      const Merge& merge = source_.merges[i];
      const bool tokens = has(merge.left) && has(merge.right) && has(merge.result);
      if (!tokens || !makes(merge)) {
        return wrong(fmt::format("merge {} does not make a token", i));
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

  // What special tokens stand for can be text as well, where somebody else looks for them.
  // llama.cpp merges characters to any token, whatever it is for (seen on a server).
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

  // The ranks of all tokens by which they merge where their bytes decide.
  std::vector<std::uint32_t> ranks() const {
    std::vector<std::uint32_t> ranks(source_.tokens.size(), kNeverMerged);
    if (source_.symbols == Symbols::kCharacters && source_.merges.empty()) {
      std::set<float, std::greater<>> scores;
      for (const SourceToken token : source_.tokens) scores.insert(token.score);
      std::map<float, std::uint32_t> rank_of;
      for (const float score : scores) rank_of.emplace(score, rank_of.size());
      for (TokenId id = 0; has(id); ++id) {
        const auto i = static_cast<std::size_t>(id);
        if (is_text(id)) ranks[i] = rank_of.at(source_.tokens[i].score);
      }
      return ranks;
    }
    if (source_.merges.empty()) {
      std::iota(ranks.begin(), ranks.end(), 0u);
    } else {
      for (const Merge& merge : source_.merges) {
        ranks[static_cast<std::size_t>(merge.result)] = static_cast<std::uint32_t>(merge.result);
      }
    }
    return ranks;
  }

  bool in_order_of_ids() const {
    return std::is_sorted(source_.merges.begin(), source_.merges.end(),
                          [](const Merge& a, const Merge& b) { return a.result < b.result; });
  }

  // As training makes a list: what is merged has been made before.
  bool is_built_up() const {
    return std::all_of(source_.merges.begin(), source_.merges.end(), [](const Merge& merge) {
      return merge.left < merge.result && merge.right < merge.result;
    });
  }

  // As a list is made of a file of ranks: wherever two tokens make a third one, it says so.
  // Requires a table of all tokens.
  bool names_all_pairs() const {
    std::set<std::pair<TokenId, TokenId>> listed;
    for (const Merge& merge : source_.merges) listed.emplace(merge.left, merge.right);
    for (TokenId id = 0; has(id); ++id) {
      const std::string_view bytes = is_text(id) ? piece(id) : std::string_view();
      for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
        const PieceSlot* left = table().find(bytes.data(), cut);
        const PieceSlot* right = table().find(bytes.data() + cut, bytes.size() - cut);
        const bool merges = left != nullptr && right != nullptr;
        if (merges && !listed.contains({left->id, right->id})) return false;
      }
    }
    return true;
  }

  void clear_table() {
    slots_.assign(slots_for(source_.tokens.size()), {});
    tags_.assign(slots_.size() + PieceTable::kGroup, PieceTable::kEmpty);
  }

  void insert_all(const std::vector<std::uint32_t>& rank_of) {
    clear_table();
    for (TokenId id = 0; has(id); ++id) {
      if (is_text(id)) insert(id, rank_of[static_cast<std::size_t>(id)]);
    }
  }

  void make_piece_table() {
    const std::vector<std::uint32_t> rank_of = ranks();
    insert_all(rank_of);
    if (source_.merges.empty()) return;
    merges_by_bytes_ = source_.symbols == Symbols::kBytes && in_order_of_ids() &&
                       (is_built_up() || names_all_pairs());
    if (!merges_by_bytes_) {
      insert_all(std::vector<std::uint32_t>(rank_of.size(), kNeverMerged));
    } else if (is_built_up()) {
      insert_made(rank_of);
    }
  }

  // Of a list that is built up: what the merges make, and where they are ignored the rest.
  void insert_made(const std::vector<std::uint32_t>& rank_of) {
    sort_merges();
    clear_table();
    for (TokenId id = 0; has(id); ++id) {
      if (!is_text(id)) continue;
      const bool made = piece(id).size() == 1 || is_made(id);
      if (made || source_.ignore_merges) {
        insert(id, made ? rank_of[static_cast<std::size_t>(id)] : kNeverMerged);
      }
    }
  }

  void sort_merges() {
    for (const Merge& merge : source_.merges) {
      pairs_of_[merge.result].emplace_back(merge.left, merge.right);
    }
  }

  // True where the merges of tokens before it, and then one of its own, make the token of its
  // bytes.
  bool is_made(TokenId id) {
    const auto pairs = pairs_of_.find(id);
    if (pairs == pairs_of_.end()) return false;
    const std::string_view bytes = piece(id);
    symbols_.clear();
    for (std::uint32_t i = 0; i < bytes.size(); ++i) {
      symbols_.push_back({i, 1, byte_tokens_[static_cast<unsigned char>(bytes[i])]});
    }
    merging_.run(symbols_, MergedByBytes{table(), {}, bytes.data()});
    if (symbols_.size() != 2) return false;
    const auto is_last = [&](const std::pair<TokenId, TokenId>& pair) {
      return pair.first == symbols_[0].id && pair.second == symbols_[1].id;
    };
    return std::any_of(pairs->second.begin(), pairs->second.end(), is_last);
  }

  PieceTable table() const { return {slots_, tags_, offsets_, bytes_.data()}; }

  // Of tokens with the same bytes the first stays.
  void insert(TokenId id, std::uint32_t rank) {
    const std::string_view bytes = piece(id);
    if (table().find(bytes.data(), bytes.size()) != nullptr) return;
    const std::uint64_t key = piece_key(bytes.data(), bytes.size());
    const std::uint64_t spread = spread_key(key);
    std::size_t i = first_slot(spread, slots_.size());
    while (tags_[i] != PieceTable::kEmpty) i = i + 1 == slots_.size() ? 0 : i + 1;
    slots_[i] = {key, id, rank};
    tags_[i] = PieceTable::tag_of(spread);
    if (i < PieceTable::kGroup) tags_[slots_.size() + i] = tags_[i];
  }

  void make_merge_table() {
    merge_slots_.resize(slots_for(source_.merges.size()));
    const MergeTable known{merge_slots_};
    for (std::size_t rank = 0; rank < source_.merges.size(); ++rank) {
      const Merge& merge = source_.merges[rank];
      if (known.find(merge.left, merge.right) != nullptr) continue;  // the first one counts
      const std::uint64_t key = MergeTable::key_of(merge.left, merge.right);
      std::size_t i = first_slot(spread_key(key), merge_slots_.size());
      while (merge_slots_[i].left != -1) i = i + 1 == merge_slots_.size() ? 0 : i + 1;
      merge_slots_[i] = {merge.left, merge.right, merge.result, static_cast<std::uint32_t>(rank)};
    }
  }

  VocabularyFacts facts() const {
    VocabularyFacts facts;
    facts.symbols = source_.symbols;
    facts.fidelity = source_.fidelity;
    facts.whole_pieces =
        source_.symbols == Symbols::kBytes && (merges_by_bytes_ || source_.ignore_merges);
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

  // Of all tokens, whatever they are, which is more than can merge; and what goes on with a
  // character.
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
    if (source_.symbols != Symbols::kBytes || !merges_by_bytes_) return {};
    std::vector<TokenId> pairs(kBytePairCount, -1);
    for (const PieceSlot& slot : slots_) {
      const std::string_view bytes = slot.key == 0 ? std::string_view() : piece(slot.id);
      if (bytes.size() != 2 || slot.rank == kNeverMerged) continue;
      pairs[byte_pair(bytes[0], bytes[1])] = slot.id;
    }
    return pairs;
  }

  const Parts& parts() {
    const std::vector<std::uint64_t> neighbours = this->neighbours();  // while bytes_ is here
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
    part(BlockPart::kMerges) = bytes_of(merge_slots_);
    part(BlockPart::kByteTokens) = bytes_of(byte_tokens_);
    part(BlockPart::kBytePairs) = bytes_of(byte_pairs());
    part(BlockPart::kSpecials) = bytes_of(specials_);
    part(BlockPart::kNeighbours) = bytes_of(neighbours);
    return parts_;
  }

  const VocabularySource& source_;
  bool merges_by_bytes_ = true;
  std::vector<std::uint32_t> offsets_;
  std::vector<char> bytes_;
  std::vector<std::uint8_t> kinds_;
  std::vector<PieceSlot> slots_;
  std::vector<std::uint8_t> tags_;
  std::vector<MergeSlot> merge_slots_;
  std::vector<TokenId> byte_tokens_ = std::vector<TokenId>(kByteCount, -1);
  std::vector<TokenId> specials_;
  std::map<TokenId, std::vector<std::pair<TokenId, TokenId>>> pairs_of_;
  std::vector<Symbol> symbols_;
  Merging merging_;
  Parts parts_;
};

}  // namespace

Result<std::vector<char>> compile_vocabulary(const VocabularySource& source) {
  return Compiler(source).compile();
}

}  // namespace pedro
