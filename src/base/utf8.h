#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pedro {

inline constexpr char32_t kLastCodePoint = 0x10FFFF;

/// Returns true if `text` is well-formed UTF-8 (no surrogates, no overlong forms, up to U+10FFFF).
bool is_valid_utf8(std::string_view text);

/// Replaces each byte outside well-formed UTF-8 by U+FFFD. Also C0 controls except \t \n \r, DEL,
/// C1 controls, and bidirectional overrides and isolates.
std::string make_printable(std::string_view text);

/// Returns the text without a byte order mark at its beginning.
std::string_view without_byte_order_mark(std::string_view text);

/// Returns make_printable(text) on one line: blanks replace line ends and tabs.
std::string one_line(std::string_view text);

/// Replaces each ill-formed sequence by one U+FFFD: a lead byte with its continuation bytes, or a
/// single byte.
std::string with_valid_characters(std::string_view text);

/// The longest prefix of at most `max_bytes` that does not end inside a UTF-8 sequence.
std::string_view truncate_utf8(std::string_view text, std::size_t max_bytes);

/// The longest suffix of at most `max_bytes` that does not begin inside a UTF-8 sequence.
std::string_view tail_utf8(std::string_view text, std::size_t max_bytes);

/// The length in bytes of the well-formed sequence at the start of `text`: 1 to 4, or 0 for none.
std::size_t utf8_sequence_length(std::string_view text);

/// The number of characters in well-formed text.
std::size_t count_characters(std::string_view text);

/// The code point of `sequence`, which must be exactly one well-formed sequence.
char32_t decode_utf8(std::string_view sequence);

/// Removes the first character of `text`, which must not be empty, and returns its code point. A
/// byte that begins no well-formed sequence is a character with its own value.
char32_t take_code_point(std::string_view& text);

/// Appends the UTF-8 form of `code_point`, which must be a scalar value (no surrogate, ≤ U+10FFFF).
void append_utf8(std::string& out, char32_t code_point);

}  // namespace pedro
