#pragma once

#include <cstddef>
#include <string_view>

#include "tokenizer/vocabulary.h"

namespace pedro {

/// Returns true if tokenizing the first `at` bytes and the rest separately gives the tokens of the
/// whole text. Decides by the surrounding bytes: the end of a word before " word" allows it. So
/// does a newline between a visible ASCII character and a letter or digit. No normalization form
/// joins characters there. Ignores special tokens. Always false for vocabularies with regex
/// patterns, which may match anything. Requires 0 < at < text.size().
bool can_cut(const Vocabulary& vocabulary, std::string_view text, std::size_t at);

/// The size of the first part of a text that is processed in parts of about `part_bytes`. Prefers
/// the last cut in the second half of `part_bytes`, else the next cut, else the end of the text.
std::size_t first_part(const Vocabulary& vocabulary, std::string_view text, std::size_t part_bytes);

}  // namespace pedro
