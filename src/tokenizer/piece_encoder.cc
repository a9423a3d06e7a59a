#include "tokenizer/piece_encoder.h"

#include <algorithm>
#include <cstring>

#include "tokenizer/piece_table.h"
#include "tokenizer/symbol_split.h"

namespace pedro {
namespace {

// A faster Merging for the most frequent case: a few bytes in a vocabulary with byte pairs.
// Computes the same result with short arrays; the rank of a token is its id.
class ShortMerging {
 public:
  static constexpr std::size_t kMaxBytes = 32;

  // Writes the tokens to `out`, which has room for `size` of them, and returns their number. A
  // byte without a token becomes -1. Requires 2 ≤ size ≤ kMaxBytes.
  static std::size_t run(const PieceTable& table, std::span<const TokenId> byte_tokens,
                         std::span<const TokenId> byte_pairs, const char* at, std::size_t size,
                         TokenId* out) {
    std::uint8_t begin[kMaxBytes + 2];      // of each symbol; then the end, twice
    std::uint32_t together[kMaxBytes + 1];  // rank of a symbol with the next one
    std::size_t count = size;
    for (std::size_t i = 0; i < size; ++i) {
      begin[i] = static_cast<std::uint8_t>(i);
      out[i] = byte_tokens[static_cast<unsigned char>(at[i])];
    }
    begin[count] = static_cast<std::uint8_t>(size);
    for (std::size_t i = 0; i + 1 < size; ++i) {
      together[i] = static_cast<std::uint32_t>(byte_pairs[byte_pair(at[i], at[i + 1])]);
    }
    const auto look_at = [&](std::size_t i) {
      const PieceSlot* slot =
          table.find(at + begin[i], static_cast<std::size_t>(begin[i + 2] - begin[i]));
      return slot == nullptr ? kNeverMerged : slot->rank;
    };
    while (count > 1) {
      std::size_t best = 0;
      std::uint32_t rank = together[0];
      for (std::size_t i = 1; i + 1 < count; ++i) {
        const bool lower = together[i] < rank;
        best = lower ? i : best;
        rank = lower ? together[i] : rank;
      }
      if (rank == kNeverMerged) break;
      out[best] = static_cast<TokenId>(rank);
      --count;
      for (std::size_t i = best + 1; i < count; ++i) {
        out[i] = out[i + 1];
        begin[i] = begin[i + 1];
        together[i - 1] = together[i];
      }
      begin[count] = static_cast<std::uint8_t>(size);
      if (best + 1 < count) together[best] = look_at(best);
      if (best > 0) together[best - 1] = look_at(best - 1);
    }
    return count;
  }
};

constexpr std::size_t kBatch = 256;  // pieces to cut before the first lookup

/// Appends ids to a vector through a small buffer.
class IdsOut {
 public:
  explicit IdsOut(std::vector<TokenId>& out) : out_(out) {}
  ~IdsOut() { flush(); }
  IdsOut(const IdsOut&) = delete;
  IdsOut& operator=(const IdsOut&) = delete;

  void add(const WordCache::Entry& entry) {
    if (used_ + WordCache::kMaxTokens > kRoom) flush();
    entry.write_to(buffer_ + used_);
    used_ += entry.count();
  }
  void add(TokenId id) {
    if (used_ == kRoom) flush();
    buffer_[used_++] = id;
  }
  void add(const std::vector<TokenId>& ids) {
    flush();
    out_.insert(out_.end(), ids.begin(), ids.end());
  }

 private:
  static constexpr std::size_t kRoom = 1024;

  void flush() {
    out_.insert(out_.end(), buffer_, buffer_ + used_);
    used_ = 0;
  }

  std::vector<TokenId>& out_;
  std::size_t used_ = 0;
  TokenId buffer_[kRoom];
};

bool is_space(const char* at, const char* end) {
  return end - at >= 3 && at[0] == '\xE2' && at[1] == '\x96' && at[2] == '\x81';
}

struct CountOut {
  std::size_t count = 0;

  void add(const WordCache::Entry& entry) { count += entry.count(); }
  void add(TokenId) { ++count; }
  void add(const std::vector<TokenId>& ids) { count += ids.size(); }
};

}  // namespace

PieceEncoder::PieceEncoder(const Vocabulary& vocabulary, ScanPieces scan,
                           const PatternScanner* patterns)
    : vocabulary_(vocabulary),
      scan_(scan),
      patterns_(patterns),
      cuts_lines_(vocabulary.pre_tokenizer().scanner == "newlines"),
      cuts_apart_(patterns == nullptr && vocabulary.facts().symbols == Symbols::kCharacters &&
                  (cuts_lines_ || vocabulary.pre_tokenizer().scanner == "none")),
      has_all_bytes_(std::find(vocabulary.byte_tokens().begin(), vocabulary.byte_tokens().end(),
                               -1) == vocabulary.byte_tokens().end()) {}

Status PieceEncoder::encode(std::string_view text, std::vector<TokenId>& out) {
  IdsOut ids(out);
  return run(text, ids);
}

Status PieceEncoder::count(std::string_view text, std::size_t& count) {
  CountOut out;
  const Status status = run(text, out);
  count += out.count;
  return status;
}

template <typename Out>
Status PieceEncoder::run(std::string_view text, Out& out) {
  const char* at = text.data();
  const char* const end = at + text.size();
  std::uint32_t lengths[kBatch];
  if (patterns_ != nullptr) {
    const Status status = patterns_->scan(text, ends_);
    if (!status) return status;
    for (std::size_t i = 0; i < ends_.size();) {
      std::size_t pieces = 0;
      for (; pieces < kBatch && i < ends_.size(); ++i) {
        lengths[pieces++] = ends_[i] - (i == 0 ? 0 : ends_[i - 1]);
      }
      at = take({lengths, pieces}, at, end, out);
    }
    return {};
  }
  while (at != end) {
    const std::size_t pieces =
        cuts_apart_ ? cut_apart(at, end, lengths, kBatch) : scan_(at, end, lengths, kBatch);
    at = take({lengths, pieces}, at, end, out);
  }
  return {};
}

// Outputs the tokens of pieces with these lengths from `at` on; returns their end. Prefetches all
// cache entries before the first lookup, so that memory latencies overlap.
template <typename Out>
const char* PieceEncoder::take(std::span<const std::uint32_t> lengths, const char* at,
                               const char* end, Out& out) {
  WordKey keys[kBatch];
  std::uint32_t sets[kBatch];
  const char* next = at;
  for (std::size_t i = 0; i < lengths.size(); next += lengths[i], ++i) {
    if (lengths[i] > WordKey::kMaxBytes) continue;
    keys[i] = WordKey::of(next, lengths[i], end);
    sets[i] = cache_.set_of(keys[i]);
  }
  for (std::size_t i = 0; i < lengths.size(); at += lengths[i], ++i) {
    const bool is_word = lengths[i] <= WordKey::kMaxBytes;
    if (is_word) {
      if (const WordCache::Entry* entry = cache_.find(sets[i], keys[i])) {
        out.add(*entry);
        continue;
      }
    }
    merge(at, lengths[i]);
    out.add(ids_);
    if (is_word) cache_.keep(sets[i], keys[i], ids_);
  }
  return at;
}

// Cuts where nothing merges: no token contains both bytes. If some bytes have no token, cuts only
// before U+2581 and at newlines. One unknown token may represent a whole run.
std::size_t PieceEncoder::cut_apart(const char* at, const char* end, std::uint32_t* lengths,
                                    std::size_t room) const {
  const auto is_cut = [this, end](const char* next) {
    if (cuts_lines_ && (*next == '\n') != (next[-1] == '\n')) return true;
    if (vocabulary_.are_neighbours(next[-1], *next)) return false;
    return has_all_bytes_ || is_space(next, end);
  };
  std::size_t count = 0;
  for (; count < room && at != end; ++count) {
    const char* next = at + 1;
    while (next != end && !is_cut(next)) ++next;
    lengths[count] = static_cast<std::uint32_t>(next - at);
    at = next;
  }
  return count;
}

// Writes the tokens of the piece to ids_.
void PieceEncoder::merge(const char* at, std::size_t size) {
  ids_.clear();
  const VocabularyFacts& facts = vocabulary_.facts();
  if (facts.whole_pieces) {
    if (const PieceSlot* slot = vocabulary_.pieces().find(at, size)) {
      ids_.push_back(slot->id);
      return;
    }
  }
  const bool is_short = size > 1 && size <= ShortMerging::kMaxBytes && has_all_bytes_;
  if (is_short && !vocabulary_.byte_pairs().empty()) {
    ids_.resize(size);
    ids_.resize(ShortMerging::run(vocabulary_.pieces(), vocabulary_.byte_tokens(),
                                  vocabulary_.byte_pairs(), at, size, ids_.data()));
    return;
  }
  split_into_symbols(facts.symbols, vocabulary_.byte_tokens(), vocabulary_.pieces(), at, size,
                     symbols_);
  merging_.run(symbols_, MergedByBytes{vocabulary_.pieces(), vocabulary_.byte_pairs(), at});
  for (const Symbol& symbol : symbols_) {
    if (symbol.id != -1) {
      ids_.push_back(symbol.id);
    } else {
      add_bytes(at + symbol.begin, symbol.size);
    }
  }
}

// Appends the byte tokens of text that is not a token. At the first byte without a token, appends
// the unknown token and stops; without an unknown token, skips the byte.
void PieceEncoder::add_bytes(const char* at, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const TokenId id = vocabulary_.byte_tokens()[static_cast<unsigned char>(at[i])];
    if (id != -1) {
      ids_.push_back(id);
    } else if (vocabulary_.facts().unknown != -1) {
      ids_.push_back(vocabulary_.facts().unknown);
      return;
    }
  }
}

}  // namespace pedro
