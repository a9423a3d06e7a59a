#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace pedro {

/// A range of bytes in a text; `end` is exclusive.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// Returns true for ASCII 0 to 9.
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Returns true for the bytes of an identifier: ASCII letters, digits and '_'.
constexpr bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

/// Removes ASCII whitespace (space, \t, \r, \n, \v, \f) at both ends.
std::string_view trim(std::string_view text);

/// Returns the number of blanks and tabs at the start of a line.
std::size_t indent_of(std::string_view line);

/// Splits `text` into lines without "\n"; a "\r" before it is kept. A final newline does not begin
/// an empty line: "a\nb\n" has two lines, "" has none.
std::vector<std::string_view> split_lines(std::string_view text);
/// Deleted for temporary strings: the lines point into the argument.
template <std::same_as<std::string> String>
std::vector<std::string_view> split_lines(String&& text) = delete;

/// Splits `text` at each `separator`; "" is one empty piece.
std::vector<std::string_view> split(std::string_view text, char separator);
template <std::same_as<std::string> String>
std::vector<std::string_view> split(String&& text, char separator) = delete;

/// Returns the longest runs of bytes that satisfy `is_part`, in order.
///
///     runs_of("a.py: 3", is_word_byte)  // "a", "py", "3"
template <typename IsPart>
std::vector<std::string_view> runs_of(std::string_view text, IsPart is_part) {
  std::vector<std::string_view> runs;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_part(text[end])) ++end;
    if (end > at) runs.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return runs;
}
template <std::same_as<std::string> String, typename IsPart>
std::vector<std::string_view> runs_of(String&& text, IsPart is_part) = delete;

std::string join(const std::vector<std::string>& pieces, std::string_view separator);

/// Appends `text` unless it is among `texts`.
void add_once(std::vector<std::string>& texts, std::string_view text);

/// Replaces every occurrence of `from` in `text` by `to`. `from` must not be empty.
std::string replace_all(std::string_view text, std::string_view from, std::string_view to);

/// Returns `text` quoted as one shell word.
std::string quoted_for_shell(std::string_view text);

/// Returns a command line for a user to read and to paste. Quotes only words that need it.
std::string as_shell_line(const std::vector<std::string>& argv);

/// Converts ASCII letters to lowercase; copies other bytes.
std::string to_lower(std::string_view text);

/// Returns true if `text` contains `words` at word boundaries. ASCII letters and digits form words:
/// "none" does not contain "one". No text contains "".
bool has_whole_words(std::string_view text, std::string_view words);

/// Returns the length of the longest sequence of `c` in `text`.
std::size_t longest_run(std::string_view text, char c);

/// The Levenshtein distance in bytes between the first 64 bytes of `a` and `b`. Intended for names.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns " (did you mean 'x'?)" for the nearest candidate, else "". Maximum distance: a third of
/// the length of `word`, but at least 2 edits (1 for words below 4 bytes). A word of more than 64
/// bytes has no candidate.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// The prefix of estimated counts.
inline constexpr const char* kAbout = "≈ ";

/// Cuts `text` to at most `max_bytes`, but never below the size of the note. Keeps the head and the
/// tail, as whole lines if possible. `[... N lines, M bytes left out; HOW ...]` replaces the
/// middle. `how` describes how to get the rest and may be empty. Never cuts inside a UTF-8
/// sequence.
std::string cut_middle(std::string_view text, std::size_t max_bytes, std::string_view how);

/// Decodes "%41" as in URLs. Leaves a '%' without two hexadecimal digits as it is.
std::string percent_decoded(std::string_view text);

/// Converts `text` to a name for a file or a branch. Keeps ASCII letters and digits, in lowercase;
/// each other sequence between them becomes one '-'. Returns "" if there are none. Cuts at
/// `max_bytes`, between words unless there is only one.
std::string slug_of(std::string_view text, std::size_t max_bytes);

/// Returns the number that is the whole text, without blanks; nullopt for another text.
template <typename Number>
std::optional<Number> number_from(std::string_view text) {
  Number number{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Breaks a paragraph at its blanks into lines of at most `columns` bytes. Indents all lines but
/// the first by `indent` blanks. A longer word gets a line of its own. No line end at the end.
std::string wrap_text(std::string_view paragraph, std::size_t columns, std::size_t indent = 0);

}  // namespace pedro
