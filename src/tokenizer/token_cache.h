#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tokenizer/token_id.h"

namespace pedro {

/// An LRU cache from texts to token ids with a limit in bytes. Not thread-safe.
class TokenCache {
 public:
  /// Limits texts and ids together to `max_bytes`. Ignores entries of more than an eighth of that.
  explicit TokenCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}
  // Not copyable: the keys of by_text_ point into entries_.
  TokenCache(const TokenCache&) = delete;
  TokenCache& operator=(const TokenCache&) = delete;

  /// Returns the ids of the text, or null. Valid until the next add().
  const std::vector<TokenId>* find(std::string_view text);
  void add(std::string_view text, const std::vector<TokenId>& ids);

  std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::string text;
    std::vector<TokenId> ids;
  };
  static std::size_t bytes_of(std::string_view text, const std::vector<TokenId>& ids);

  std::size_t max_bytes_;
  std::size_t bytes_ = 0;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_text_;
};

}  // namespace pedro
