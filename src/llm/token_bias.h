#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chat/biased_text.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// One way in which a text occurs: what a vocabulary makes of it behind `before`.
struct BiasedForm {
  std::string before;        ///< "", " ", "\"" or "{\""
  std::string text;          ///< the text, maybe capitalised
  std::vector<TokenId> ids;  ///< the tokens that have a part of it
  /// The token that is biased: the only one, or the first of several if that already tells the text
  /// from others. Nothing where every token of it is a fragment of other words as well.
  std::optional<TokenId> biased;
};

/// What was made of one text.
struct TextBias {
  BiasedText text;
  std::vector<BiasedForm> forms;
};

/// A summand of a token's logit, as `logit_bias` has it.
struct TokenBias {
  TokenId id = 0;
  double bias = 0;
};

/// Looks up the forms of each text, in one request where a server is asked. A form whose tokens are
/// those of an earlier form of the same text is left out. Errors are the tokenizer's.
Result<std::vector<TextBias>> find_biases(std::span<const BiasedText> texts, Tokenizer& tokenizer);

/// Each token once; where several texts are of one token, their sum. Sorted by id.
std::vector<TokenBias> token_biases(std::span<const TextBias> texts);

/// "[1311,5],…" for `logit_bias`.
std::string to_json_rows(std::span<const TokenBias> biases);

/// For traces and people, a line for each form: `action 5: "action" 1311; " action" 1957; …`.
std::string to_text(const TextBias& bias);

}  // namespace pedro
