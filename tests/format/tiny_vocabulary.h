#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// A tokenizer of all bytes, ids 0 to 255, and these control tokens, from 256 on; a text behind a
/// "=" instead is an ordinary token ("=ab"), and one behind a "+" one that is found in any text.
/// `spaced`: it writes a space before each text.
std::unique_ptr<VocabularyTokenizer> tiny_tokenizer(const std::vector<std::string>& tokens,
                                                    bool spaced = false);

}  // namespace pedro
