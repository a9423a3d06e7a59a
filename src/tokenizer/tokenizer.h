#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/specials.h"
#include "tokenizer/token_id.h"

namespace pedro {

/// A text to be tokenized. Borrows all of it, so nothing is made of a string that ends with the
/// statement.
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

/// Text to token ids and back. Whether it may be used by several threads, the implementation says.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  virtual Result<std::vector<TokenId>> encode(std::string_view text,
                                              Specials specials = Specials::kNone) = 0;
  /// encode() of each, one by one; where a server is asked, in few requests for all of them.
  virtual Result<std::vector<std::vector<TokenId>>> encode_each(std::span<const Passage> passages);
  /// How many ids encode() gives.
  virtual Result<std::size_t> count(std::string_view text, Specials specials = Specials::kNone) = 0;
  /// The text of all ids together, special tokens as they are written. May end inside a UTF-8
  /// sequence; see Utf8Decoder for text that is made token by token.
  virtual Result<std::string> decode(const std::vector<TokenId>& ids) = 0;

  /// The bytes that a token stands for. An Error (kUsage) where there is no such token.
  virtual Result<std::string> piece(TokenId id) = 0;
  /// piece() of each, in few requests as well.
  virtual Result<std::vector<std::string>> pieces(std::span<const TokenId> ids);
  /// The token of exactly these bytes, if there is one.
  virtual Result<std::optional<TokenId>> id_of(std::string_view bytes) = 0;
  /// True where a token steers the model and is no text. An Error as for piece().
  virtual Result<bool> is_control(TokenId id) = 0;
  /// The ids a prompt of this vocabulary begins with (a BOS token, or nothing).
  virtual Result<std::vector<TokenId>> prompt_start() = 0;

  /// Who counts: "server", a vocabulary's name.
  virtual std::string provider_name() const = 0;
  /// False where a count is an estimate; everything printed from it then says "≈".
  virtual bool is_exact() const = 0;
};

}  // namespace pedro
