#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pedro {

inline constexpr char32_t kLastCodePoint = 0x10FFFF;

/// True where `text` is well-formed UTF-8 (no surrogates, no overlong forms, up to U+10FFFF).
bool is_valid_utf8(std::string_view text);

/// `text` with every byte that is not part of well-formed UTF-8 replaced by U+FFFD, and what steers
/// a terminal or a reader's eye likewise: the C0 controls but \t \n \r, DEL, the C1 controls and
/// the marks that change the direction of text.
std::string make_printable(std::string_view text);

/// The text with U+FFFD for each byte that belongs to no well-formed character.
std::string with_valid_characters(std::string_view text);

/// The longest prefix of at most `max_bytes` that does not end inside a UTF-8 sequence.
std::string_view truncate_utf8(std::string_view text, std::size_t max_bytes);

/// The longest suffix of at most `max_bytes` that does not begin inside a UTF-8 sequence.
std::string_view tail_utf8(std::string_view text, std::size_t max_bytes);

/// How many leading bytes of `text` form one well-formed sequence: 1 to 4, or 0 where none does.
std::size_t utf8_sequence_length(std::string_view text);

/// The code point of `sequence`, which must be one well-formed sequence and nothing more.
char32_t decode_utf8(std::string_view sequence);

/// The UTF-8 form of `code_point`, appended. Requires a scalar value (no surrogate, ≤ U+10FFFF).
void append_utf8(std::string& out, char32_t code_point);

}  // namespace pedro
