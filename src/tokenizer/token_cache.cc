#include "tokenizer/token_cache.h"

namespace pedro {

std::size_t TokenCache::bytes_of(std::string_view text, const std::vector<TokenId>& ids) {
  constexpr std::size_t kEntryBytes = 128;  // approximate overhead of the containers
  return text.size() + ids.size() * sizeof(TokenId) + kEntryBytes;
}

const std::vector<TokenId>* TokenCache::find(std::string_view text) {
  const auto found = by_text_.find(text);
  if (found == by_text_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return &found->second->ids;
}

void TokenCache::add(std::string_view text, const std::vector<TokenId>& ids) {
  const std::size_t bytes = bytes_of(text, ids);
  if (bytes > max_bytes_ / 8 || by_text_.contains(text)) return;
  entries_.push_front({std::string(text), ids});
  by_text_.emplace(entries_.front().text, entries_.begin());
  bytes_ += bytes;
  while (bytes_ > max_bytes_) {
    const Entry& last = entries_.back();
    bytes_ -= bytes_of(last.text, last.ids);
    by_text_.erase(last.text);
    entries_.pop_back();
  }
}

}  // namespace pedro
