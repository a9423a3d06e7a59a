#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tokenizer/pattern_scanner.h"
#include "tokenizer/piece_encoder.h"
#include "tokenizer/tokenizer.h"
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

/// The position of a text part in the tokenized text. A vocabulary's space prefix is only inserted
/// before the first part.
enum class TextPlace { kFirst, kLater };

/// A tokenizer for a local vocabulary. Thread-safe: each call takes its working memory from a pool.
/// The pool grows to the number of concurrent calls (up to about 4 MiB each).
///
/// Ids are those of the reference or of a llama-server for the same text (Fidelity). Bytes that are
/// not UTF-8, which those reject, are kept. With llama.cpp fidelity, user-defined tokens are
/// recognized in any text, regardless of Specials.
///
/// Errors (kLimit): a text of more than 1 GiB, or a regex pattern that exceeds its step limit.
class VocabularyTokenizer : public Tokenizer {
 public:
  /// Error (kUsage): the pre-tokenizer of the vocabulary is unknown or has an invalid pattern.
  static Result<std::unique_ptr<VocabularyTokenizer>> create(Vocabulary vocabulary);

  const Vocabulary& vocabulary() const { return vocabulary_; }

  Result<std::vector<TokenId>> encode(std::string_view text, Specials specials) override;
  Result<std::size_t> count(std::string_view text, Specials specials) override;
  /// Encodes or counts a part of a text that was cut where nothing merges.
  Result<std::vector<TokenId>> encode_part(std::string_view text, Specials specials,
                                           TextPlace part);
  Result<std::size_t> count_part(std::string_view text, Specials specials, TextPlace part);
  Result<std::string> decode(const std::vector<TokenId>& ids) override;
  Result<std::string> piece(TokenId id) override;
  Result<std::optional<TokenId>> id_of(std::string_view bytes) override;
  Result<bool> is_control(TokenId id) override;
  Result<std::vector<TokenId>> prompt_start() override;
  /// Returns true if a special token requested by `specials` begins before `at` and ends after it.
  /// Requires at ≤ text.size().
  bool has_special_across(std::string_view text, std::size_t at, Specials specials) const;
  /// The length of the longest special token in bytes; 0 if there are none.
  std::size_t longest_special() const { return all_specials_.longest(); }

  std::string provider_name() const override { return vocabulary_.name(); }
  bool is_exact() const override { return true; }

 private:
  VocabularyTokenizer(Vocabulary vocabulary, ScanPieces scan,
                      std::optional<PatternScanner> patterns);

  template <typename Take>
  Status for_each_part(std::string_view text, Specials specials, TextPlace part, Take take);
  std::vector<SpecialAt> specials_in(std::string_view text, Specials specials) const;
  void append_bytes(TokenId id, std::string& out) const;
  std::string_view prepared(std::string_view text, TextPlace part, std::string& storage) const;
  std::unique_ptr<PieceEncoder> encoder();
  void give_back(std::unique_ptr<PieceEncoder> encoder);

  Vocabulary vocabulary_;
  ScanPieces scan_;
  std::optional<PatternScanner> patterns_;
  SpecialFinder all_specials_;
  SpecialFinder user_defined_;
  std::mutex mutex_;  // guards pool_
  std::vector<std::unique_ptr<PieceEncoder>> pool_;
};

}  // namespace pedro
