#pragma once

#include <cstddef>
#include <string_view>

#include "tokenizer/vocabulary.h"

namespace pedro {

/// Whether the tokens of a text are those of its first `at` bytes and those of the rest, as far as
/// a look at what stands there tells: a word's end before " word", a newline between a
/// visible character of ASCII and a letter or a digit. Nor does a normal form join anything there.
/// Special tokens are not looked for. Always false where a foreign pattern cuts the text: it may do
/// anything. Requires 0 < at < text.size().
bool can_cut(const Vocabulary& vocabulary, std::string_view text, std::size_t at);

/// The size of the first part of a text that is to be worked through in parts of about
/// `part_bytes`: at most that, where there is a place to cut in its second half, else up to the
/// next such place.
std::size_t first_part(const Vocabulary& vocabulary, std::string_view text, std::size_t part_bytes);

}  // namespace pedro
