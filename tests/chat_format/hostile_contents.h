#pragma once

#include "chat_format/format_family.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// Puts each of hostile_texts(), and each special token of the vocabulary, into all contents of a
/// conversation. Checks that no token of a content is a control token. Checks that every control
/// token is at its place in the template, and that every content is marked as content.
void check_hostile_contents(const FormatFamily& family, VocabularyTokenizer& tokenizer);

}  // namespace pedro
