#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// The text rules of a tokenizer.json outside its model.
struct TextRules {
  bool nfc = false;
  bool escape_spaces = false;  ///< replaces each space by U+2581
  bool space_prefix = false;
  bool byte_level = false;            ///< tokens use GPT-2's alphabet
  std::vector<std::string> patterns;  ///< in PCRE2 syntax, as in PreTokenizer
};

/// Reads the text rules. Supported `normalizer` types: NFC, Prepend and Replace of a space like
/// SentencePiece, Sequence. Supported `pre_tokenizer` types: Split (at a pattern, isolated pieces),
/// ByteLevel, Digits, Punctuation, Metaspace, Sequence. Of `decoder` only the presence of ByteLevel
/// counts. Error (kConfig): any other rule that would change ids,
/// "/pre_tokenizer/pretokenizers/0/type: 'Whitespace' ...".
Result<TextRules> read_text_rules(const Json& normalizer, const Json& pre_tokenizer,
                                  const Json& decoder);

/// The pre-tokenizer for the patterns of `rules`: an equivalent scanner, if there is one.
PreTokenizer pre_tokenizer_of(const TextRules& rules);

/// The tokens that a `post_processor` adds around a text; "" for none.
struct PromptFrame {
  std::string first;
  std::string last;
};
Result<PromptFrame> read_prompt_frame(const Json& post_processor);

}  // namespace pedro
