#pragma once

#include <vector>

#include "base/result.h"
#include "tokenizer/vocabulary.h"

namespace pedro {

/// The ids of a short text of many kinds: letters, digits, code, runs of blanks, marks, Han, kana,
/// Hangul, emoji, names of control tokens as text. An Error (kUsage) where there is no tokenizer
/// for the vocabulary, or where one that has all bytes does not give the text back.
Result<std::vector<TokenId>> encode_probe(Vocabulary vocabulary);

}  // namespace pedro
