#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "chat_format/prompt.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// An input of the encoder: an id, or a text that is encoded separately.
using PromptPiece = std::variant<TokenId, std::string>;
using PromptPieces = std::vector<PromptPiece>;

/// Converts prompts to ids: control tokens by name, each text separately with Specials::kNone.
/// Caches the names of tokens, so the tokenizer looks up each name once. Encodes all texts of a
/// prompt together. Borrows the tokenizer; one thread.
class PromptEncoder {
 public:
  explicit PromptEncoder(Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  /// Error (kUsage): the vocabulary lacks a control token that may not be text, or has it only as
  /// text.
  Result<std::vector<TokenId>> encode(const Prompt& prompt);

  Tokenizer& tokenizer() const { return tokenizer_; }

  /// Returns nothing if the vocabulary writes the token as text and the token may be text. Errors
  /// as above.
  Result<std::optional<TokenId>> id_of(const ControlToken& token);

 private:
  using Ids = std::map<std::string, std::optional<TokenId>, std::less<>>;

  Status learn_names(const Prompt& prompt);
  Status learn_line_end();
  Result<std::vector<TokenId>> encode_pieces(PromptPieces pieces,
                                             std::span<const std::string_view> turns, bool goes_on);
  Result<std::optional<TokenId>> look_up(const std::string& name);

  Tokenizer& tokenizer_;
  Ids controls_;
  Ids tags_;                              // nothing if it is text
  std::map<std::string, bool> is_found_;  // true if found in any text
  /// The ids of "\n" in a vocabulary that puts a space before each text; empty in others. Not set
  /// until the first use.
  std::optional<std::vector<TokenId>> spaced_line_end_;
};

/// Encodes a single prompt.
inline Result<std::vector<TokenId>> encode_prompt(const Prompt& prompt, Tokenizer& tokenizer) {
  return PromptEncoder(tokenizer).encode(prompt);
}

}  // namespace pedro
