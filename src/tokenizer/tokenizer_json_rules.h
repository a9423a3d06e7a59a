#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// What the parts of a tokenizer.json around its model say about text.
struct TextRules {
  bool nfc = false;
  bool escape_spaces = false;  ///< a space becomes U+2581
  bool space_prefix = false;
  bool byte_level = false;            ///< tokens are written in GPT-2's alphabet
  std::vector<std::string> patterns;  ///< in PCRE2's language, as in PreTokenizer
};

/// Understands of `normalizer`: NFC, Prepend and Replace of a space as SentencePiece has them,
/// Sequence; of `pre_tokenizer`: Split (at a pattern, the pieces isolated), ByteLevel, Digits,
/// Punctuation, Metaspace, Sequence; of `decoder`: whether there is a ByteLevel. Anything else that
/// would change ids is an Error: "/pre_tokenizer/pretokenizers/0/type: 'Whitespace' ...".
Result<TextRules> read_text_rules(const Json& normalizer, const Json& pre_tokenizer,
                                  const Json& decoder);

/// The pre-tokenizer for these patterns: one of our scanners, if it does the same.
PreTokenizer pre_tokenizer_of(const TextRules& rules);

/// Tokens that a `post_processor` puts around a text; "" where there is none.
struct PromptFrame {
  std::string first;
  std::string last;
};
Result<PromptFrame> read_prompt_frame(const Json& post_processor);

}  // namespace pedro
