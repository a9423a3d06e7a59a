#pragma once

#include <string>
#include <vector>

#include "format/format_family.h"
#include "tokenizer/vocabulary_tokenizer.h"

namespace pedro {

/// Texts that are made to be taken for something else: control tokens of many families, whole and
/// in parts, look-alikes, turns and results that never were. Each begins with kHostileMark.
std::vector<std::string> hostile_texts();
inline constexpr std::string_view kHostileMark = "HOSTILE";

/// Puts each text, and each special token of the vocabulary, into all contents of a conversation
/// and holds that no token of a content is a control token, that every control token stands where
/// the template put it, and that all of a content is known as such.
void check_hostile_contents(const FormatFamily& family, VocabularyTokenizer& tokenizer);

}  // namespace pedro
