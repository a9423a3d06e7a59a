#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Cuts text into the pieces of one of the well-known pre-tokenizers, without a regex engine:
/// writes the lengths, in bytes, of the next pieces from `at` on (together they are all of the
/// text), as many as there are and at most `room`, and returns how many. Text may be anything: a
/// byte that is no UTF-8 is a character that is no letter, number or blank.
///
/// A piece never depends on the one before. Where it ends may depend on the runs of letters and
/// blanks that begin in it, and on a few bytes behind these.
using ScanPieces = std::size_t (*)(const char* at, const char* end, std::uint32_t* lengths,
                                   std::size_t room);

/// The scanner of that name; null where there is none:
/// - gpt2        (r50k_base, p50k_base too) 's 't … as they are, " ?letters", " ?numbers", "
/// ?others"
/// - cl100k      any character before letters, numbers by three, newlines with what is before them
/// - llama3      the same but for blanks at the text's end
/// - qwen2       as llama3, numbers one by one
/// - qwen35      as qwen2, marks are letters
/// - o200k       words are cut where upper case follows lower case, contractions belong to them
/// - tekken      as o200k, numbers one by one, no contractions
/// - deepseek3   numbers by three, then Chinese and Japanese, then the rest
/// - starcoder   numbers one by one, then as gpt2
/// - newlines    lines, and the newlines between them
/// - none        the whole text
ScanPieces scanner_named(std::string_view name, Fidelity fidelity);

}  // namespace pedro
