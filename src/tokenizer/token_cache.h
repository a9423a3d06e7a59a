#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tokenizer/token_id.h"

namespace pedro {

/// Texts with the ids that they have, up to a number of bytes; those that were not wanted for the
/// longest time go first. One thread.
class TokenCache {
 public:
  /// Texts and ids together take at most `max_bytes`; a text that would take more than an eighth of
  /// it is not kept.
  explicit TokenCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}
  // What is found by a text borrows it from where it is kept.
  TokenCache(const TokenCache&) = delete;
  TokenCache& operator=(const TokenCache&) = delete;

  /// Null where the text is not known. Valid until the next add().
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
  std::list<Entry> entries_;  // wanted last, first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_text_;
};

}  // namespace pedro
