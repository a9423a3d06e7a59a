#pragma once

#include <string>
#include <utility>

#include "base/clock.h"
#include "base/trace.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Wraps a tokenizer and traces each encoding (TraceTopic::kTokens). Shows the text's name, the
/// provider and the reason for its choice, the duration, and each token's id and text. Control
/// tokens are marked with '!' after the id. For long texts only the first and the last tokens are
/// shown, with the number of omitted ones. Borrows its arguments except the values. Thread-safe if
/// the arguments are.
class TracedTokenizer : public Tokenizer {
 public:
  static constexpr std::size_t kFirstTokens = 192;
  static constexpr std::size_t kLastTokens = 64;

  /// `why` is the reason for this tokenizer; the constructor traces it.
  TracedTokenizer(Tokenizer& inner, std::string_view why, Trace trace, const Clock& clock);

  Result<std::vector<TokenId>> encode(std::string_view text, Specials specials) override;
  Result<std::vector<std::vector<TokenId>>> encode_each(std::span<const Passage> passages) override;
  /// Encodes the text, because a trace contains its tokens.
  Result<std::size_t> count(std::string_view text, Specials specials) override;
  /// The duration in microseconds for a number of texts.
  struct Took {
    long long us = 0;
    std::size_t texts = 1;
  };
  /// Traces an encoding made outside this object.
  void tell(const Passage& passage, const std::vector<TokenId>& ids, Took took);

  Result<std::string> decode(const std::vector<TokenId>& ids) override {
    return inner_.decode(ids);
  }
  Result<std::string> piece(TokenId id) override { return inner_.piece(id); }
  Result<std::vector<std::string>> pieces(std::span<const TokenId> ids) override {
    return inner_.pieces(ids);
  }
  Result<std::optional<TokenId>> id_of(std::string_view bytes) override {
    return inner_.id_of(bytes);
  }
  Result<bool> is_control(TokenId id) override { return inner_.is_control(id); }
  Result<std::vector<TokenId>> prompt_start() override { return inner_.prompt_start(); }
  std::string provider_name() const override { return inner_.provider_name(); }
  bool is_exact() const override { return inner_.is_exact(); }

 private:
  struct Shown {
    Json tokens = Json::array();
    std::string text;
  };
  Shown shown(const Passage& passage, std::span<const TokenId> ids);

  Tokenizer& inner_;
  Trace trace_;
  const Clock& clock_;
};

}  // namespace pedro
