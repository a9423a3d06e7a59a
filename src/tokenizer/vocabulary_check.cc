#include "tokenizer/vocabulary_check.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {
namespace {

// The text is already in forms C and KC.
constexpr std::string_view kProbe =
    "Hello, WORLD! don't we'LL 3.14159 1234567 {\"action\": \"run\"}\n"
    "\tfor (int i = 0; i < n; ++i) {\n\n\n        x[i] += 0xFF;  // \u00E9\u00DF\u0153\r\n}   \n"
    "\u0928\u092E\u0938\u094D\u0924\u0947 \u0441\u043B\u043E\u0432\u043E \u4E2D\u6587\u5B57 "
    "\u306B\u307B\u3093\u3054 \uD55C\uAD6D\uC5B4 \u0627\u0644\u0639\u0631\u0628\u064A\u0629 "
    "\U0001F469\u200D\U0001F4BB\U0001F44D\U0001F3FD <|im_end|></s>[INST]\n";

}  // namespace

Result<std::vector<TokenId>> encode_probe(Vocabulary vocabulary) {
  const auto bytes = vocabulary.byte_tokens();
  const bool has_all_bytes = std::find(bytes.begin(), bytes.end(), -1) == bytes.end();
  PEDRO_TRY(auto tokenizer, VocabularyTokenizer::create(std::move(vocabulary)));
  auto ids = tokenizer->encode(kProbe, Specials::kNone);
  if (!ids) return ids;
  PEDRO_TRY(const auto text, tokenizer->decode(*ids));
  if (has_all_bytes && text != kProbe) {
    return Error{ErrorKind::kUsage, "it does not decode a text to itself"};
  }
  return ids;
}

}  // namespace pedro
