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

/// Finds special tokens in text with at most one trie walk per position. Borrows the vocabulary.
/// Immutable.
class SpecialFinder {
 public:
  /// Finds the tokens `ids`, which have the order of Vocabulary::specials().
  SpecialFinder(const Vocabulary& vocabulary, const std::vector<TokenId>& ids);

  /// Returns the matches without overlap, in text order. Overlaps in reference fidelity: the
  /// leftmost match wins, then the longest. In llama.cpp fidelity: the longest match wins, wherever
  /// it is.
  std::vector<SpecialAt> find(std::string_view text) const;

  /// The length of the longest token in bytes; 0 if there are no tokens.
  std::size_t longest() const { return longest_; }

 private:
  static constexpr std::int32_t kNone = -1;

  /// A node of the trie of all tokens, with its outgoing bytes.
  struct Node {
    std::vector<std::pair<char, std::int32_t>> next;
    TokenId token = kNone;  ///< the token that ends here
    std::size_t order = 0;  ///< of the token; longest first
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
