#pragma once

#include "format/format_family.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// Puts each of hostile_texts(), and each special token of the vocabulary, into all contents of a
/// conversation and holds that no token of a content is a control token, that every control token
/// stands where the template put it, and that all of a content is known as such.
void check_hostile_contents(const FormatFamily& family, VocabularyTokenizer& tokenizer);

}  // namespace pedro
