#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tokenizer/vocabulary.h"

namespace pedro {

/// A special token in a text.
struct SpecialAt {
  std::size_t begin = 0;
  TokenId id = 0;
};

/// Finds special tokens in text, in time that grows with the text and the longest token. Borrows
/// the vocabulary. Immutable.
class SpecialFinder {
 public:
  /// For the tokens `ids`, in the order of Vocabulary::specials().
  SpecialFinder(const Vocabulary& vocabulary, const std::vector<TokenId>& ids);

  /// All that count, from the left to the right. Where they overlap: as the reference has it, the
  /// leftmost counts and of those the longest; in llama.cpp the longest, wherever it stands.
  std::vector<SpecialAt> find(std::string_view text) const;

  /// Of the longest token, in bytes; 0 where there is none.
  std::size_t longest() const { return longest_; }

 private:
  static constexpr std::int32_t kNone = -1;

  /// A place in the trie of all tokens: what follows by which byte.
  struct Node {
    std::vector<std::pair<char, std::int32_t>> next;
    TokenId token = kNone;  ///< that ends here
    std::size_t order = 0;  ///< of the token: the longest first
  };

  std::int32_t step(std::int32_t node, char byte) const;
  void add(TokenId id, std::size_t order);
  std::vector<SpecialAt> leftmost(std::string_view text) const;
  std::vector<SpecialAt> longest_first(std::string_view text) const;

  const Vocabulary& vocabulary_;
  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::bitset<256> first_;
  std::size_t longest_ = 0;
};

}  // namespace pedro
