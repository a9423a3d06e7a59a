#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/token_id.h"

namespace pedro {

/// The treatment of text that spells a special token. A value type; borrows the named texts.
class Specials {
 public:
  /// Recognizes no special tokens: for text from users, files, issues, tools and models.
  static const Specials kNone;
  /// Recognizes all special tokens: only for text of chat templates.
  static const Specials kAll;
  /// Recognizes only the named tokens. Texts that are not special tokens have no effect.
  static constexpr Specials only(std::span<const std::string_view> texts) {
    return Specials(false, texts);
  }

  bool all() const { return all_; }
  bool none() const { return !all_ && only_.empty(); }
  std::span<const std::string_view> texts() const { return only_; }

 private:
  constexpr Specials(bool all, std::span<const std::string_view> only) : all_(all), only_(only) {}

  bool all_ = false;
  std::span<const std::string_view> only_;
};

inline constexpr Specials Specials::kNone{false, {}};
inline constexpr Specials Specials::kAll{true, {}};

/// A text to tokenize. Borrows its members; temporary strings are therefore rejected.
struct Passage {
  Passage() = default;
  Passage(std::string_view of, Specials known = Specials::kNone, std::string_view called = {})
      : text(of), specials(known), what(called) {}
  template <std::same_as<std::string> Text>
  Passage(Text&& of, Specials known = Specials::kNone, std::string_view called = {}) = delete;

  std::string_view text;
  Specials specials = Specials::kNone;
  std::string_view what = {};  ///< for traces: "user turn"
};

/// Converts text to token ids and back. The implementation defines the thread safety.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  virtual Result<std::vector<TokenId>> encode(std::string_view text,
                                              Specials specials = Specials::kNone) = 0;
  /// Encodes each passage. A server receives all of them in few requests.
  virtual Result<std::vector<std::vector<TokenId>>> encode_each(std::span<const Passage> passages);
  /// The number of ids that encode() returns.
  virtual Result<std::size_t> count(std::string_view text, Specials specials = Specials::kNone) = 0;
  /// The text of all ids, with special tokens as written. May end inside a UTF-8 sequence; see
  /// Utf8Decoder for text generated token by token.
  virtual Result<std::string> decode(const std::vector<TokenId>& ids) = 0;

  /// The bytes of a token. Error (kUsage): there is no such token.
  virtual Result<std::string> piece(TokenId id) = 0;
  /// The bytes of each token. A server receives all of them in few requests.
  virtual Result<std::vector<std::string>> pieces(std::span<const TokenId> ids);
  /// The token with exactly these bytes, if any.
  virtual Result<std::optional<TokenId>> id_of(std::string_view bytes) = 0;
  /// Returns true if the token controls the model and is not text. Errors are those of piece().
  virtual Result<bool> is_control(TokenId id) = 0;
  /// The ids that begin each prompt: the BOS token or nothing.
  virtual Result<std::vector<TokenId>> prompt_start() = 0;

  /// The source of the tokens: "server" or the name of a vocabulary.
  virtual std::string provider_name() const = 0;
  /// Returns false if counts are estimates. Output then marks them with "≈".
  virtual bool is_exact() const = 0;
};

}  // namespace pedro
