#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// A tokenizer of all bytes, ids 0 to 255, and these control tokens, from 256 on. The prefix "="
/// marks an ordinary token ("=ab"), and "+" a token that is recognized in any text. `spaced`: adds
/// a space before each text.
std::unique_ptr<VocabularyTokenizer> tiny_tokenizer(const std::vector<std::string>& tokens,
                                                    bool spaced = false);

}  // namespace pedro
