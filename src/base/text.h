#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Of 0 to 9.
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Without the ASCII blanks (space, \t, \r, \n, \v, \f) at both ends.
std::string_view trim(std::string_view text);

/// The lines of `text` without their "\n" (a "\r" before it stays). A final newline ends the last
/// line, it does not begin an empty one: "a\nb\n" is two lines, "" is none.
std::vector<std::string_view> split_lines(std::string_view text);
/// Not of a string that ends with the expression: the lines point into it.
template <std::same_as<std::string> String>
std::vector<std::string_view> split_lines(String&& text) = delete;

/// The pieces between `separator`; "" is one empty piece.
std::vector<std::string_view> split(std::string_view text, char separator);
template <std::same_as<std::string> String>
std::vector<std::string_view> split(String&& text, char separator) = delete;

std::string join(const std::vector<std::string>& pieces, std::string_view separator);

/// Every occurrence of `from` in `text` replaced by `to`; `from` must not be empty.
std::string replace_all(std::string_view text, std::string_view from, std::string_view to);

/// ASCII letters in lower case, other bytes as they are.
std::string to_lower(std::string_view text);

/// Whether `words` (not "") stand in `text` without a letter or digit of ASCII that goes on beyond
/// them: "one" does not stand in "none".
bool has_whole_words(std::string_view text, std::string_view words);

/// Number of single-character insertions, deletions and substitutions between `a` and `b`.
/// Looks at the first 64 bytes of each: it is for names.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// " (did you mean 'x'?)" for the candidate nearest to `word` within a third of its length
/// (two edits at least, one in words under four letters), else "". A word of more than 64 bytes has
/// none.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// In front of a count that is an estimate.
inline constexpr const char* kAbout = "≈ ";

/// `text` cut to at most `max_bytes`, or to the note alone where that is longer: the head and the
/// tail stay, whole lines where that is possible, and `[... N lines, M bytes left out; HOW ...]`
/// stands for the middle. `how` says how to get the rest and may be empty. Never cuts inside a
/// UTF-8 sequence.
std::string cut_middle(std::string_view text, std::size_t max_bytes, std::string_view how);

/// A name for a file or a branch: the letters and digits of ASCII, small, all else as one '-'
/// between them; "" where there are none. Where it would be longer it has a whole word less rather
/// than half a word more, unless there is only one.
std::string slug_of(std::string_view text, std::size_t max_bytes);

}  // namespace pedro
