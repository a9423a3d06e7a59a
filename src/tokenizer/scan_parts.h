#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tokenizer/char_kind.h"
#include "tokenizer/vocabulary_source.h"

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

// Shared parts of the scanners. All functions require at < end, unless noted, and return the end of
// a piece.

/// Cuts with `next_piece(at, end)`, which returns the end of the piece at `at`.
template <const char* (*next_piece)(const char* at, const char* end)>
std::size_t scan_by(const char* at, const char* end, std::uint32_t* lengths, std::size_t room) {
  std::size_t count = 0;
  for (; count < room && at != end; ++count) {
    const char* const next = next_piece(at, end);
    lengths[count] = static_cast<std::uint32_t>(next - at);
    at = next;
  }
  return count;
}

enum class Contractions {
  kLowerCase,  ///< 's 't 're 've 'm 'll 'd
  kAnyCase,    ///< like (?i:...) restricted to ASCII
  kFolded,     ///< also U+017F, which folds to s
};

/// Returns the position after the contraction at `at`, or `at` if there is none. `at` may be `end`.
template <Contractions contractions>
const char* skip_contraction(const char* at, const char* end) {
  if (end - at < 2 || *at != '\'') return at;
  constexpr char kFold = contractions == Contractions::kLowerCase ? 0 : 0x20;
  const char first = static_cast<char>(at[1] | kFold);
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return at + 2;
  if (end - at < 3) return at;
  const char second = static_cast<char>(at[2] | kFold);
  const bool two = (first == 'r' && second == 'e') || (first == 'v' && second == 'e') ||
                   (first == 'l' && second == 'l');
  if (two) return at + 3;
  const bool long_s = contractions == Contractions::kFolded && at[1] == '\xC5' && at[2] == '\xBF';
  return long_s ? at + 3 : at;
}

constexpr bool is_number(CharKind kind) {
  return kind == CharKind::kNumber;
}

/// Returns the position after the run of characters at `at` whose kind passes `test`. `at` may be
/// `end`.
template <typename Test>
const char* skip_while(const char* at, const char* end, Test test) {
  while (at != end) {
    const CharAt next = char_at(at, end);
    if (!test(next.kind)) break;
    at += next.bytes;
  }
  return at;
}

template <typename Test>
const char* skip_numbers(const char* at, const char* end, int most, Test test) {
  for (; most > 0 && at != end; --most) {
    const CharAt next = char_at(at, end);
    if (!test(next.kind)) break;
    at += next.bytes;
  }
  return at;
}

enum class Blanks {
  kPlain,     ///< \s+(?!\S)|\s+
  kNewlines,  ///< \s*[\r\n]+|\s+(?!\S)|\s+
  kAllAtEnd,  ///< \s+$|\s*[\r\n]+|\s+(?!\S)|\s+
};

/// Returns the end of the piece of blanks at `at`. A character after the blanks for which `is_end`
/// returns true counts as the end of the text.
template <Blanks rule, typename IsEnd>
const char* skip_blanks(const char* at, const char* end, IsEnd is_end) {
  const char* last = at;
  const char* behind_newline = nullptr;
  const char* next = at;
  bool at_end = true;
  while (next != end) {
    const CharAt character = char_at(next, end);
    if (!is_blank(character.kind)) {
      at_end = is_end(next, character);
      break;
    }
    last = next;
    next += character.bytes;
    if (character.kind == CharKind::kNewline) behind_newline = next;
  }
  if (rule == Blanks::kAllAtEnd && at_end) return next;
  if (rule != Blanks::kPlain && behind_newline != nullptr) return behind_newline;
  return at_end || last == at ? next : last;
}

}  // namespace pedro
