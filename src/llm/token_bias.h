#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/trace.h"
#include "chat/biased_text.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// One spelling of a text: its tokens after `before`.
struct BiasedForm {
  std::string before;        ///< "", " ", "\"" or "{\""
  std::string text;          ///< the text, possibly capitalised
  std::vector<TokenId> ids;  ///< the tokens that contain a part of it
  /// The biased token: the only one, or the first of several if it identifies the text. Nullopt if
  /// every token is also a fragment of other words.
  std::optional<TokenId> biased;
};

/// The forms of one text.
struct TextBias {
  BiasedText text;
  std::vector<BiasedForm> forms;
};

/// An addend for a token's logit, as in `logit_bias`.
struct TokenBias {
  TokenId id = 0;
  double bias = 0;
};

/// Looks up the forms of each text; sends one request if the server tokenizes. Omits a form with
/// the same tokens as an earlier form of the text. Errors are the tokenizer's.
Result<std::vector<TextBias>> find_biases(std::span<const BiasedText> texts, Tokenizer& tokenizer);

/// Returns each token once, sorted by id. Adds up the biases of texts with a common token.
std::vector<TokenBias> token_biases(std::span<const TextBias> texts);

/// Returns "[1311,5],…" for `logit_bias`.
std::string to_json_rows(std::span<const TokenBias> biases);

/// Returns one line about a text's forms, for traces: `action 5: "action" 1311; " action" 1917; …`.
std::string to_text(const TextBias& bias);

/// The biases of a request as rows of tokens. Looks up equal texts only once.
class BiasRows {
 public:
  using Notice = std::function<void(std::string_view)>;

  /// Looks up `texts`. If the tokenizer fails, there are no rows, and the job continues without
  /// biases. `notice` receives this failure, and a warning for each bias above kMaxUnforcedBias.
  /// `trace` receives the tokens of each text.
  void find(std::span<const BiasedText> texts, Tokenizer& tokenizer, const Trace& trace,
            const Notice& notice);
  /// Returns JSON rows "[id,bias],…" for `logit_bias`; "" if there are none.
  const std::string& json() const { return json_; }
  /// Removes the rows until find() gets other texts. Used for a server that cannot sample with
  /// them.
  void drop() { json_.clear(); }

 private:
  std::vector<BiasedText> texts_;
  std::string json_;
};

}  // namespace pedro
