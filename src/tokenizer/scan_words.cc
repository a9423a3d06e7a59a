// `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|
// \s*[\r\n]+|\s+(?!\S)|\s+`
#include "tokenizer/scan_parts.h"
#include "tokenizer/scanners.h"

namespace pedro {
namespace {

struct WordRules {
  Contractions contractions = Contractions::kFolded;
  int digits = 3;
  bool marks_are_letters = false;
  Blanks blanks = Blanks::kNewlines;
};

template <WordRules rules>
struct Words {
  static bool is_word(CharKind kind) {
    return is_letter(kind) || (rules.marks_are_letters && kind == CharKind::kMark);
  }
  static bool is_other(CharKind kind) {
    return !is_word(kind) && !is_number(kind) && !is_blank(kind);
  }

  static const char* skip_word(const char* at, const char* end) {
    for (;;) {
      at = skip_ascii_letters(at, end);
      if (at == end || static_cast<unsigned char>(*at) < 0x80) return at;
      const CharAt next = wide_char_at(at, end);
      if (!is_word(next.kind)) return at;
      at += next.bytes;
    }
  }

  static const char* skip_others(const char* at, const char* end) {
    at = skip_while(at, end, is_other);
    while (at != end && (*at == '\r' || *at == '\n')) ++at;
    return at;
  }

  static const char* next_piece(const char* at, const char* end) {
    const CharAt first = char_at(at, end);
    if (is_word(first.kind)) return skip_word(at + first.bytes, end);
    if (is_number(first.kind)) return skip_numbers(at, end, rules.digits, is_number);
    if (*at == '\'') {
      const char* const behind = skip_contraction<rules.contractions>(at, end);
      if (behind != at) return behind;
    }
    const char* const next = at + first.bytes;
    if (first.kind != CharKind::kNewline && next != end) {
      const CharAt second = char_at(next, end);
      if (is_word(second.kind)) return skip_word(next + second.bytes, end);
      if (first.kind == CharKind::kSpace && is_other(second.kind)) return skip_others(next, end);
    }
    if (!is_blank(first.kind)) return skip_others(next, end);
    return skip_blanks<rules.blanks>(at, end, [](const char*, CharAt) { return false; });
  }
};

template <WordRules rules>
constexpr ScanPieces kWordScan = scan_by<Words<rules>::next_piece>;

// llama.cpp lowercases with a table in which U+017F has no lowercase form.
constexpr Contractions kAscii = Contractions::kAnyCase;

}  // namespace

const ScanPieces kScanCl100k = kWordScan<WordRules{.blanks = Blanks::kAllAtEnd}>;
const ScanPieces kScanLlama3 = kWordScan<WordRules{}>;
const ScanPieces kScanLlama3InLlamaCpp = kWordScan<WordRules{.contractions = kAscii}>;
const ScanPieces kScanQwen2 = kWordScan<WordRules{.digits = 1}>;
const ScanPieces kScanQwen2InLlamaCpp = kWordScan<WordRules{.contractions = kAscii, .digits = 1}>;
const ScanPieces kScanQwen35 = kWordScan<WordRules{.digits = 1, .marks_are_letters = true}>;
const ScanPieces kScanQwen35InLlamaCpp =
    kWordScan<WordRules{.contractions = kAscii, .digits = 1, .marks_are_letters = true}>;

}  // namespace pedro
