#pragma once

#include <vector>

#include "base/result.h"
#include "tokenizer/vocabulary.h"

namespace pedro {

/// Encodes a short fixed text with letters, digits, code, runs of blanks, marks, Han, kana, Hangul,
/// emoji, and names of control tokens as text. Errors (kUsage): no tokenizer supports the
/// vocabulary, or a vocabulary with all bytes does not decode to the same text.
Result<std::vector<TokenId>> encode_probe(Vocabulary vocabulary);

}  // namespace pedro
