#include "tokenizer/token_counter.h"

#include "tokenizer/text_cut.h"

namespace pedro {

bool TokenCounter::is_cut(std::size_t at) const {
  return can_cut(tokenizer_.vocabulary(), rest_, at) &&
         !tokenizer_.has_special_across(rest_, at, specials_);
}

// The last position where nothing merges, or 0.
std::size_t TokenCounter::last_cut() {
  if (!tokenizer_.vocabulary().pre_tokenizer().patterns.empty()) return 0;
  // The text after it may still become a special token.
  const std::size_t behind = tokenizer_.longest_special() + 1;
  if (rest_.size() <= behind) return 0;
  const std::size_t end = rest_.size() - behind;
  for (std::size_t at = end; at > searched_; --at) {
    if (is_cut(at)) return at;
  }
  searched_ = end;
  return 0;
}

Status TokenCounter::count(std::size_t bytes) {
  const std::string_view part = std::string_view(rest_).substr(0, bytes);
  const TextPlace where = begun_ ? TextPlace::kLater : TextPlace::kFirst;
  if (hear_) hear_(part, where);
  PEDRO_TRY(const auto some, tokenizer_.count_part(part, specials_, where));
  count_ += some;
  begun_ = true;
  rest_.erase(0, bytes);
  searched_ = 0;
  return {};
}

Status TokenCounter::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t room = kPartBytes - rest_.size() % kPartBytes;
    const std::string_view part = bytes.substr(0, room);
    rest_ += part;
    bytes.remove_prefix(part.size());
    if (rest_.size() % kPartBytes != 0) continue;
    std::size_t cut = last_cut();
    const bool may_grow = !tokenizer_.vocabulary().pre_tokenizer().patterns.empty();
    if (cut == 0 && rest_.size() >= kMaxPartBytes && !may_grow) {
      exact_ = false;
      cut = rest_.size();
    }
    if (cut == 0) continue;
    PEDRO_RETURN_IF_ERROR(count(cut));
  }
  return {};
}

Result<std::size_t> TokenCounter::finish() {
  PEDRO_RETURN_IF_ERROR(count(rest_.size()));
  return count_;
}

}  // namespace pedro
