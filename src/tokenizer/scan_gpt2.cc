// '(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
#include "tokenizer/scan_parts.h"
#include "tokenizer/scanners.h"

namespace pedro {
namespace {

bool is_other(CharKind kind) {
  return !is_letter(kind) && !is_number(kind) && !is_blank(kind);
}

const char* skip_letters(const char* at, const char* end) {
  for (;;) {
    at = skip_ascii_letters(at, end);
    if (at == end || static_cast<unsigned char>(*at) < 0x80) return at;
    const CharAt next = wide_char_at(at, end);
    if (!is_letter(next.kind)) return at;
    at += next.bytes;
  }
}

// With `numbers_apart`, numbers were already cut out: the text ends there.
template <bool numbers_apart>
const char* next_gpt2_piece(const char* at, const char* end) {
  CharAt first = char_at(at, end);
  if (*at == '\'') {
    const char* const behind = skip_contraction<Contractions::kLowerCase>(at, end);
    if (behind != at) return behind;
  }
  const char* body = at;
  if (first.kind == CharKind::kSpace && end - at > 1) {
    const CharAt next = char_at(at + 1, end);
    if (!is_blank(next.kind) && !(numbers_apart && is_number(next.kind))) {
      first = next;
      body = at + 1;
    }
  }
  if (is_letter(first.kind)) return skip_letters(body + first.bytes, end);
  if (is_number(first.kind)) {
    return numbers_apart ? body + first.bytes : skip_while(body + first.bytes, end, is_number);
  }
  if (!is_blank(first.kind)) return skip_while(body + first.bytes, end, is_other);
  return skip_blanks<Blanks::kPlain>(
      at, end, [](const char*, CharAt next) { return numbers_apart && is_number(next.kind); });
}

}  // namespace

const ScanPieces kScanGpt2 = scan_by<next_gpt2_piece<false>>;
const ScanPieces kScanStarcoder = scan_by<next_gpt2_piece<true>>;

}  // namespace pedro
