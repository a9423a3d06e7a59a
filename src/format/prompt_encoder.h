#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "format/prompt.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// What can be encoded: an id, or a text that is encoded on its own.
using PromptPiece = std::variant<TokenId, std::string>;
using PromptPieces = std::vector<PromptPiece>;

/// Makes prompts ids: control tokens by their names, each text on its own with Specials::kNone.
/// Remembers what tokens are called, so that a tokenizer is asked for each name once, and for all
/// texts of a prompt together. Borrows the tokenizer; one thread.
class PromptEncoder {
 public:
  explicit PromptEncoder(Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  /// An Error (kUsage) names a control token that the vocabulary does not have, or has as mere
  /// text, where that is not what it may be.
  Result<std::vector<TokenId>> encode(const Prompt& prompt);

  Tokenizer& tokenizer() const { return tokenizer_; }

  /// Nothing where the vocabulary writes it as text, and it may be that. Errors as above.
  Result<std::optional<TokenId>> id_of(const ControlToken& token);

 private:
  using Ids = std::map<std::string, std::optional<TokenId>, std::less<>>;

  Status learn_names(const Prompt& prompt);
  Status learn_line_end();
  Result<std::vector<TokenId>> encode_pieces(PromptPieces pieces, bool goes_on);
  Result<std::optional<TokenId>> look_up(const std::string& name);

  Tokenizer& tokenizer_;
  Ids controls_;
  Ids tags_;                              // nothing where it is text
  std::map<std::string, bool> is_found_;  // whether the vocabulary finds a guarded name in any text
  /// What "\n" becomes in a vocabulary that writes a space before each text: that and more. Empty
  /// in others; not known yet.
  std::optional<std::vector<TokenId>> spaced_line_end_;
};

/// For a single prompt.
inline Result<std::vector<TokenId>> encode_prompt(const Prompt& prompt, Tokenizer& tokenizer) {
  return PromptEncoder(tokenizer).encode(prompt);
}

}  // namespace pedro
