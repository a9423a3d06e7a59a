#include "tokenizer/scan_parts.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace pedro {
namespace {

/// A decoded character; the ranges are from table 3-7 of the Unicode standard. `bytes` is 0 if it
/// is not UTF-8.
struct Decoded {
  char32_t code_point = 0;
  std::uint8_t bytes = 0;
};

bool continues(unsigned char byte) {
  return (byte & 0xC0) == 0x80;
}

Decoded decoded(const char* at, std::size_t available) {
  const auto* byte = reinterpret_cast<const unsigned char*>(at);
  const unsigned char lead = byte[0];
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xC2 || available < 2 || !continues(byte[1])) return {};
  const char32_t second = byte[1] & 0x3Fu;
  if (lead < 0xE0) return {(lead & 0x1Fu) << 6 | second, 2};
  if (available < 3 || !continues(byte[2])) return {};
  const char32_t third = byte[2] & 0x3Fu;
  if (lead < 0xF0) {
    const char32_t c = (lead & 0x0Fu) << 12 | second << 6 | third;
    const bool fits = c >= 0x800 && (c < 0xD800 || c > 0xDFFF);
    return fits ? Decoded{c, 3} : Decoded{};
  }
  if (lead > 0xF4 || available < 4 || !continues(byte[3])) return {};
  const char32_t c = (lead & 0x07u) << 18 | second << 12 | third << 6 | (byte[3] & 0x3Fu);
  return c >= 0x10000 && c < 0x110000 ? Decoded{c, 4} : Decoded{};
}

template <typename Test>
const char* skip(const char* at, const char* end, Test test) {
  while (at != end && test(static_cast<unsigned char>(*at))) ++at;
  return at;
}

}  // namespace

CharAt wide_char_at(const char* at, const char* end) {
  const Decoded character = decoded(at, static_cast<std::size_t>(end - at));
  if (character.bytes == 0) return {};
  return {char_kind(character.code_point), character.bytes};
}

char32_t code_point_at(const char* at, std::size_t bytes) {
  const Decoded character = decoded(at, bytes);
  return character.bytes == bytes ? character.code_point : 0;
}

const char* skip_ascii_letters(const char* at, const char* end) {
#if defined(__SSE2__)
  // Bit 0x20 maps both cases to lowercase. Shifting 'a' to -128 then permits one signed comparison.
  while (end - at >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    const __m128i moved = _mm_sub_epi8(lower, _mm_set1_epi8(static_cast<char>('a' + 128)));
    const __m128i letter = _mm_cmplt_epi8(moved, _mm_set1_epi8(-128 + 26));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(letter));
    if (mask != 0xFFFF) return at + __builtin_ctz(~mask);
    at += 16;
  }
#endif
  return skip(at, end,
              [](unsigned char c) { return static_cast<unsigned>((c | 0x20) - 'a') < 26; });
}

const char* skip_ascii_lower(const char* at, const char* end) {
#if defined(__SSE2__)
  while (end - at >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i moved = _mm_sub_epi8(bytes, _mm_set1_epi8(static_cast<char>('a' + 128)));
    const __m128i letter = _mm_cmplt_epi8(moved, _mm_set1_epi8(-128 + 26));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(letter));
    if (mask != 0xFFFF) return at + __builtin_ctz(~mask);
    at += 16;
  }
#endif
  return skip(at, end, [](unsigned char c) { return static_cast<unsigned>(c - 'a') < 26; });
}

}  // namespace pedro
