#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// Cuts text into the pieces of a known pre-tokenizer without a regex engine. Writes the lengths in
/// bytes of the next pieces from `at` on, at most `room`, and returns their number. The pieces
/// cover the text without gaps. Text may be arbitrary: a byte that is not UTF-8 is a character
/// other than a letter, number or blank.
///
/// A piece does not depend on the previous one. Its end may depend on runs of letters and blanks
/// that begin in it, and a few bytes after them.
using ScanPieces = std::size_t (*)(const char* at, const char* end, std::uint32_t* lengths,
                                   std::size_t room);

/// Returns the scanner of that name, or null:
/// - gpt2        (also r50k_base, p50k_base) lowercase 's, then " ?" and letters, numbers, others
/// - cl100k      any character before letters, numbers by three, newlines with preceding blanks
/// - llama3      like cl100k except for blanks at the end of the text
/// - qwen2       like llama3, single numbers
/// - qwen35      like qwen2, marks are letters
/// - o200k       words are cut between lower and upper case and include contractions
/// - tekken      like o200k, single numbers, no contractions
/// - deepseek3   numbers by three, then Chinese and Japanese, then the rest
/// - starcoder   single numbers, then like gpt2
/// - newlines    lines, and the newlines between them
/// - none        the whole text
ScanPieces scanner_named(std::string_view name, Fidelity fidelity);

}  // namespace pedro
