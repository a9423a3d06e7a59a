// First `\p{N}{1,3}`, then `[一-龥぀-ゟ゠-ヿ]+`, then in the rest
// `[!-/:-@\[-\x60{-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|
// \s*[\r\n]+|\s+(?!\S)|\s+`.
// Runs of characters that match none of them are pieces too.
#include "tokenizer/scan_parts.h"
#include "tokenizer/scanners.h"

namespace pedro {
namespace {

bool is_word(CharKind kind) {
  return is_letter(kind) || kind == CharKind::kMark;
}
bool is_sign(CharKind kind) {
  return kind == CharKind::kPunctuation || kind == CharKind::kSymbol;
}

// Returns true for kana and Chinese characters.
bool is_han(const char* at, CharAt character) {
  if (character.bytes != 3) return false;
  const char32_t c = code_point_at(at, 3);
  return (c >= 0x3040 && c <= 0x30FF) || (c >= 0x4E00 && c <= 0x9FA5);
}

// Returns true for characters that were already cut out: the text for the other rules ends there.
bool is_end(const char* at, CharAt character) {
  return is_number(character.kind) || is_han(at, character);
}

template <typename Test>
const char* skip_to_end(const char* at, const char* end, Test test) {
  while (at != end) {
    const CharAt next = char_at(at, end);
    if (!test(next.kind) || is_end(at, next)) break;
    at += next.bytes;
  }
  return at;
}

const char* skip_han(const char* at, const char* end) {
  while (at != end) {
    const CharAt next = char_at(at, end);
    if (!is_han(at, next)) break;
    at += next.bytes;
  }
  return at;
}

const char* skip_signs(const char* at, const char* end) {
  at = skip_to_end(at, end, is_sign);
  while (at != end && (*at == '\r' || *at == '\n')) ++at;
  return at;
}

bool begins_word(const char* at, const char* end) {
  if (at == end) return false;
  const CharAt next = char_at(at, end);
  return is_word(next.kind) && !is_end(at, next);
}

// Returns the position after characters that no rule matches and that are not the first character
// of a word.
const char* skip_unmatched(const char* at, const char* end) {
  while (at != end) {
    const CharAt next = char_at(at, end);
    if (next.kind != CharKind::kOther || begins_word(at + next.bytes, end)) break;
    at += next.bytes;
  }
  return at;
}

const char* next_deepseek_piece(const char* at, const char* end) {
  const CharAt first = char_at(at, end);
  if (is_number(first.kind)) return skip_numbers(at, end, 3, is_number);
  if (is_han(at, first)) return skip_han(at, end);
  if (is_word(first.kind)) return skip_to_end(at, end, is_word);
  const char* const next = at + first.bytes;
  if (is_sign(first.kind)) {
    if (first.bytes == 1) {
      const char* const letters = skip_ascii_letters(next, end);
      if (letters != next) return letters;
    }
    return skip_signs(at, end);
  }
  if (first.kind != CharKind::kNewline && begins_word(next, end)) {
    return skip_to_end(next, end, is_word);
  }
  if (first.kind == CharKind::kSpace && next != end) {
    const CharAt second = char_at(next, end);
    if (is_sign(second.kind) && !is_end(next, second)) return skip_signs(next, end);
  }
  if (is_blank(first.kind)) return skip_blanks<Blanks::kNewlines>(at, end, is_end);
  return skip_unmatched(next, end);
}

}  // namespace

const ScanPieces kScanDeepseek3 = scan_by<next_deepseek_piece>;

}  // namespace pedro
