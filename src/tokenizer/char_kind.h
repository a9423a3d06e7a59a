#pragma once

#include <cstdint>

namespace pedro {

/// What the patterns of pre-tokenizers ask of a character: its general category, as far as they
/// tell them apart, and Unicode's White_Space.
enum class CharKind : std::uint8_t {
  kOther,        ///< C: controls, formats, unassigned; also a byte that is no UTF-8
  kUpper,        ///< Lu, Lt
  kLower,        ///< Ll
  kLetter,       ///< Lm, Lo
  kMark,         ///< M
  kNumber,       ///< N
  kPunctuation,  ///< P
  kSymbol,       ///< S
  kNewline,      ///< '\r' and '\n'
  kSpace,        ///< ' '
  kBlank,        ///< any other White_Space
};

inline constexpr std::uint8_t kCharKindBits = 0x0F;
/// Text without such a character is in normal form C: it decomposes, or may join with one before.
inline constexpr std::uint8_t kMayChangeInNfc = 0x10;
/// The same of normal form KC.
inline constexpr std::uint8_t kMayChangeInNfkc = 0x20;

/// By code point: kCharBlocks[kCharBlockOf[c >> 8]][c & 0xFF]. Made by make_char_table.cc out of
/// utf8proc's data.
extern const std::uint8_t kCharBlockOf[0x1100];
extern const std::uint8_t kCharBlocks[][256];

/// The kind of a code point, kMayChangeInNfc and kMayChangeInNfkc. Requires `c` ≤ U+10FFFF.
inline std::uint8_t char_facts(char32_t c) {
  return kCharBlocks[kCharBlockOf[c >> 8]][c & 0xFF];
}

inline CharKind char_kind(char32_t c) {
  return static_cast<CharKind>(char_facts(c) & kCharKindBits);
}

}  // namespace pedro
