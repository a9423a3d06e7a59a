#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/pattern_scanner.h"
#include "tokenizer/piece_encoder.h"
#include "tokenizer/special_finder.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/vocabulary.h"

namespace pedro {

/// Whether a text is the beginning of what is tokenized: a space that a vocabulary puts before text
/// stands there only.
enum class TextPlace { kFirst, kLater };

/// A tokenizer of a vocabulary that we have. Thread-safe: each call takes what it works with from a
/// pool that grows to the number of calls at a time (about 2.5 MiB for each).
///
/// What it gives is what the reference, or a llama-server, gives for the same text (Fidelity); text
/// that is no UTF-8, which those do not take, keeps its bytes. In llama.cpp tokens that are
/// user-defined are found in any text, whatever Specials says.
///
/// Errors (kLimit): a text of more than 1 GiB; a foreign pattern that takes too long.
class VocabularyTokenizer : public Tokenizer {
 public:
  /// An Error (kUsage) says what of the vocabulary's pre-tokenizer there is none for.
  static Result<std::unique_ptr<VocabularyTokenizer>> create(Vocabulary vocabulary);

  const Vocabulary& vocabulary() const { return vocabulary_; }

  Result<std::vector<TokenId>> encode(std::string_view text, Specials specials) override;
  Result<std::size_t> count(std::string_view text, Specials specials) override;
  /// encode() and count() of a part of a text, cut where nothing merges.
  Result<std::vector<TokenId>> encode_part(std::string_view text, Specials specials,
                                           TextPlace part);
  Result<std::size_t> count_part(std::string_view text, Specials specials, TextPlace part);
  Result<std::string> decode(const std::vector<TokenId>& ids) override;
  Result<std::string> piece(TokenId id) override;
  Result<std::optional<TokenId>> id_of(std::string_view bytes) override;
  Result<bool> is_control(TokenId id) override;
  Result<std::vector<TokenId>> prompt_start() override;
  /// Whether a special token that `specials` asks for begins before `at` and ends behind it.
  /// Requires at ≤ text.size().
  bool has_special_across(std::string_view text, std::size_t at, Specials specials) const;
  /// In bytes; 0 where there are none.
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
  std::mutex mutex_;  // of the pool
  std::vector<std::unique_ptr<PieceEncoder>> pool_;
};

}  // namespace pedro
