#include "llm/streamed_tokens.h"

#include <algorithm>
#include <optional>

namespace pedro {
namespace {

constexpr TokenId kMissing = -1;
constexpr long long kMaxMissing = 64;        // between two events
constexpr std::size_t kMaxMiddleBytes = 16;  // longer gaps have more than two characters

bool fits(std::span<const TokenId> known, std::span<const TokenId> ids) {
  return std::equal(known.begin(), known.end(), ids.begin(), ids.end(),
                    [](TokenId one, TokenId other) { return one == kMissing || one == other; });
}

void append(std::vector<TokenId>& out, std::span<const TokenId> ids) {
  out.insert(out.end(), ids.begin(), ids.end());
}

/// Splits bytes into a given number of tokens.
class Split {
 public:
  explicit Split(Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  /// Finds up to two splits.
  Status find(std::string_view bytes, std::size_t tokens) {
    if (tokens == 0) {
      if (bytes.empty()) ways_.push_back(begun_);
      return {};
    }
    for (std::size_t n = 1; n + tokens <= bytes.size() + 1 && ways_.size() < 2; ++n) {
      PEDRO_TRY(const std::optional<TokenId> id, tokenizer_.id_of(bytes.substr(0, n)));
      if (!id) continue;
      PEDRO_TRY(const std::string piece, tokenizer_.piece(*id));
      if (piece != bytes.substr(0, n)) continue;  // JSON cannot contain partial characters
      begun_.push_back(*id);
      if (Status rest = find(bytes.substr(n), tokens - 1); !rest) return rest;
      begun_.pop_back();
    }
    return {};
  }
  const std::vector<std::vector<TokenId>>& ways() const { return ways_; }

 private:
  Tokenizer& tokenizer_;
  std::vector<TokenId> begun_;
  std::vector<std::vector<TokenId>> ways_;
};

/// Returns ids that fit the known ids and the text, if exactly one solution exists.
Result<std::optional<std::vector<TokenId>>> only_choice(std::span<const TokenId> known,
                                                        std::string_view text,
                                                        Tokenizer& tokenizer) {
  const auto begin = std::find(known.begin(), known.end(), kMissing);
  const auto end = std::find_if(begin, known.end(), [](TokenId id) { return id != kMissing; });
  if (std::find(end, known.end(), kMissing) != known.end()) {
    return std::optional<std::vector<TokenId>>();
  }
  // Treats a control token as empty text.
  for (auto id = known.begin(); id != begin; ++id) {
    PEDRO_TRY(const std::string piece, tokenizer.piece(*id));
    if (text.starts_with(piece)) text.remove_prefix(piece.size());
  }
  for (auto id = known.end(); id != end; --id) {
    PEDRO_TRY(const std::string piece, tokenizer.piece(*(id - 1)));
    if (text.ends_with(piece)) text.remove_suffix(piece.size());
  }
  if (text.size() > kMaxMiddleBytes) return std::optional<std::vector<TokenId>>();
  Split split(tokenizer);
  if (Status done = split.find(text, static_cast<std::size_t>(end - begin)); !done) {
    return done.error();
  }
  if (split.ways().size() != 1) return std::optional<std::vector<TokenId>>();
  std::vector<TokenId> ids(known.begin(), begin);
  append(ids, split.ways().front());
  ids.insert(ids.end(), end, known.end());
  return std::optional(std::move(ids));
}

}  // namespace

void StreamedTokens::add(std::string_view text, std::span<const TokenId> ids, long long predicted) {
  const long long known = count_ + static_cast<long long>(ids.size());
  if (predicted > known) {
    ids_.insert(ids_.end(), static_cast<std::size_t>(std::min(predicted - known, kMaxMissing)),
                kMissing);
    has_gap_ = true;
  }
  count_ = std::max(predicted, known);
  append(ids_, ids);
  if (text.empty()) return;  // a later event may contain the text
  if (has_gap_) gaps_.push_back({sent_, ids_.size(), std::string(text)});
  sent_ = ids_.size();
  has_gap_ = false;
}

Result<StreamedTokens::Recovered> StreamedTokens::recover(Tokenizer& tokenizer) const {
  std::vector<Passage> texts;
  for (const Gap& gap : gaps_) texts.emplace_back(gap.text);
  // Tries the usual encoding of the text first.
  PEDRO_TRY(const auto usual, tokenizer.encode_each(texts));
  const std::span<const TokenId> all = ids_;
  Recovered out;
  std::size_t from = 0;
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    const Gap& gap = gaps_[i];
    append(out.ids, all.subspan(from, gap.begin - from));
    from = gap.end;
    const auto known = all.subspan(gap.begin, gap.end - gap.begin);
    if (fits(known, usual[i])) {
      append(out.ids, usual[i]);
      continue;
    }
    PEDRO_TRY(const auto found, only_choice(known, gap.text, tokenizer));
    if (!found) out.exact = std::min(out.exact, out.ids.size());
    append(out.ids, found ? *found : usual[i]);
  }
  const auto end =
      std::find(ids_.begin() + static_cast<std::ptrdiff_t>(from), ids_.end(), kMissing);
  out.is_cut = end != ids_.end();
  out.ids.insert(out.ids.end(), ids_.begin() + static_cast<std::ptrdiff_t>(from), end);
  return out;
}

}  // namespace pedro
