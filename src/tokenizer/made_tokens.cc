#include "tokenizer/made_tokens.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>

#include "tokenizer/merging.h"
#include "tokenizer/symbol_split.h"

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

}  // namespace

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

}  // namespace pedro
