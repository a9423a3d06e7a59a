#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tokenizer/char_kind.h"

namespace pedro {

/// The kind and the length in bytes of a character. A byte that is not UTF-8 is a kOther of one
/// byte.
struct CharAt {
  CharKind kind = CharKind::kOther;
  std::uint8_t bytes = 1;
};

/// Reads a character whose first byte is 0x80 or more. Requires at < end.
CharAt wide_char_at(const char* at, const char* end);

/// The code point of the character of `bytes` bytes at `at`, or 0 if it is not UTF-8.
char32_t code_point_at(const char* at, std::size_t bytes);

inline constexpr std::array<CharKind, 128> kAsciiKinds = [] {
  std::array<CharKind, 128> kinds{};
  for (unsigned c = 0x21; c < 0x7F; ++c) kinds[c] = CharKind::kPunctuation;
  for (const char c : {'$', '+', '<', '=', '>', '^', '`', '|', '~'}) {
    kinds[static_cast<unsigned>(c)] = CharKind::kSymbol;
  }
  for (unsigned c = '0'; c <= '9'; ++c) kinds[c] = CharKind::kNumber;
  for (unsigned c = 'A'; c <= 'Z'; ++c) kinds[c] = CharKind::kUpper;
  for (unsigned c = 'a'; c <= 'z'; ++c) kinds[c] = CharKind::kLower;
  for (const char c : {'\t', '\v', '\f'}) kinds[static_cast<unsigned>(c)] = CharKind::kBlank;
  kinds['\n'] = kinds['\r'] = CharKind::kNewline;
  kinds[' '] = CharKind::kSpace;
  return kinds;
}();

/// Reads the character at `at`. Requires at < end.
inline CharAt char_at(const char* at, const char* end) {
  const auto byte = static_cast<unsigned char>(*at);
  if (byte < 0x80) return {kAsciiKinds[byte], 1};
  return wide_char_at(at, end);
}

inline bool is_blank(CharKind kind) {
  return kind >= CharKind::kNewline;
}
inline bool is_letter(CharKind kind) {
  return kind >= CharKind::kUpper && kind <= CharKind::kLetter;
}

/// Returns the position after the run of ASCII letters at `at`: of both cases, or only lowercase.
const char* skip_ascii_letters(const char* at, const char* end);
const char* skip_ascii_lower(const char* at, const char* end);

}  // namespace pedro
