#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/token_id.h"

namespace pedro {

/// What to do with text that spells a special token.
enum class Specials {
  kNone,  ///< all text is text: for everything a user, a file, an issue or a tool said
  kAll,   ///< special tokens are recognised: for template text only
};

/// Text to token ids. Not thread-safe.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  virtual Result<std::vector<TokenId>> encode(std::string_view text, Specials specials) = 0;
  /// The ids a prompt of this vocabulary begins with (a BOS token, or nothing).
  virtual Result<std::vector<TokenId>> prompt_start() = 0;
  /// Who counts: "server", a vocabulary's name.
  virtual std::string provider_name() const = 0;
  /// False where a count is an estimate; everything printed from it then says "≈".
  virtual bool is_exact() const = 0;
};

}  // namespace pedro
