#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// Replaces the tokenizer of a model with an unknown vocabulary. Counts are those of another
/// vocabulary times a factor; everything else is from that vocabulary. Thread-safe like
/// VocabularyTokenizer.
class EstimateTokenizer : public Tokenizer {
 public:
  /// Requires factor > 0.
  EstimateTokenizer(std::unique_ptr<VocabularyTokenizer> counting, double factor)
      : counting_(std::move(counting)), factor_(factor) {}

  VocabularyTokenizer& counting() { return *counting_; }
  /// Converts a count of counting() to an estimate for the model, rounded.
  std::size_t estimate_of(std::size_t counted) const;

  Result<std::size_t> count(std::string_view text, Specials specials) override;
  Result<std::vector<TokenId>> encode(std::string_view text, Specials specials) override {
    return counting_->encode(text, specials);
  }
  Result<std::string> decode(const std::vector<TokenId>& ids) override {
    return counting_->decode(ids);
  }
  Result<std::string> piece(TokenId id) override { return counting_->piece(id); }
  Result<std::optional<TokenId>> id_of(std::string_view bytes) override {
    return counting_->id_of(bytes);
  }
  Result<bool> is_control(TokenId id) override { return counting_->is_control(id); }
  Result<std::vector<TokenId>> prompt_start() override { return counting_->prompt_start(); }

  /// "claude × 1.1".
  std::string provider_name() const override;
  bool is_exact() const override { return false; }

 private:
  std::unique_ptr<VocabularyTokenizer> counting_;
  double factor_;
};

}  // namespace pedro
