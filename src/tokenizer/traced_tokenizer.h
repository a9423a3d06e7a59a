#pragma once

#include <string>
#include <utility>

#include "base/clock.h"
#include "base/trace.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Another tokenizer, with a trace of all that it encodes (TraceTopic::kTokens): what the text is,
/// who made tokens of it and why that one, how long it took, and each token with its id and text,
/// so that the boundaries can be seen; control tokens are marked with a '!' behind the id. Of many
/// tokens the first and the last are shown, and how many are missing. Borrows all but the values;
/// as thread-safe as what it is made of.
class TracedTokenizer : public Tokenizer {
 public:
  static constexpr std::size_t kFirstTokens = 192;
  static constexpr std::size_t kLastTokens = 64;

  /// `why` says why it is this tokenizer; the first trace shows it.
  TracedTokenizer(Tokenizer& inner, std::string_view why, Trace trace, const Clock& clock);

  Result<std::vector<TokenId>> encode(std::string_view text, Specials specials) override;
  Result<std::vector<std::vector<TokenId>>> encode_each(std::span<const Passage> passages) override;
  /// Encodes, for only tokens can be shown.
  Result<std::size_t> count(std::string_view text, Specials specials) override;
  /// How long it took, for how many texts together.
  struct Took {
    long long us = 0;
    std::size_t texts = 1;
  };
  /// A trace of what was encoded without this object.
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
