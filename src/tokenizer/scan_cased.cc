// U = `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`, L = `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`, C = the contractions:
// `[^\r\n\p{L}\p{N}]?U*L+C?|[^\r\n\p{L}\p{N}]?U+L*C?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|
// \s*[\r\n]+|\s+(?!\S)|\s+`.
//
// llama.cpp has no case classes. U is all letters except a to z, L all except A to Z, and marks are
// in neither.
#include "tokenizer/scan_parts.h"
#include "tokenizer/scanners.h"

namespace pedro {
namespace {

struct CasedRules {
  Contractions contractions = Contractions::kFolded;
  bool contractions_belong = true;
  int digits = 3;
  bool cases_of_ascii_only = false;
};

template <CasedRules rules>
struct Cased {
  enum class Case { kNone, kUpper, kLower, kBoth };

  static Case case_of(const char* at, CharKind kind) {
    const bool ascii = static_cast<unsigned char>(*at) < 0x80;
    if (rules.cases_of_ascii_only && !ascii) return is_letter(kind) ? Case::kBoth : Case::kNone;
    if (kind == CharKind::kUpper) return Case::kUpper;
    if (kind == CharKind::kLower) return Case::kLower;
    const bool both = kind == CharKind::kLetter || kind == CharKind::kMark;
    return both ? Case::kBoth : Case::kNone;
  }

  static const char* skip_lower(const char* at, const char* end) {
    for (;;) {
      at = skip_ascii_lower(at, end);
      if (at == end || static_cast<unsigned char>(*at) < 0x80) return at;
      const CharAt next = wide_char_at(at, end);
      const Case its = case_of(at, next.kind);
      if (its != Case::kLower && its != Case::kBoth) return at;
      at += next.bytes;
    }
  }

  // Returns the end of U*L+ at `at`, or null. Unless a lowercase letter ends the search, sets
  // `upper` to the end of U+, or to null.
  static const char* word_at(const char* at, const char* end, const char** upper) {
    const char* behind_both = nullptr;
    const char* next = at;
    while (next != end) {
      const CharAt character = char_at(next, end);
      const Case its = case_of(next, character.kind);
      if (its == Case::kLower) return skip_lower(next + character.bytes, end);
      if (its == Case::kNone) break;
      next += character.bytes;
      if (its == Case::kBoth) behind_both = next;
    }
    *upper = next == at ? nullptr : next;
    return behind_both;
  }

  static const char* with_contraction(const char* at, const char* end) {
    if constexpr (!rules.contractions_belong) return at;
    return skip_contraction<rules.contractions>(at, end);
  }

  static bool is_other(CharKind kind) {
    return !is_letter(kind) && !is_number(kind) && !is_blank(kind);
  }

  static const char* skip_others(const char* at, const char* end) {
    at = skip_while(at, end, is_other);
    while (at != end && (*at == '\r' || *at == '\n' || *at == '/')) ++at;
    return at;
  }

  static const char* next_piece(const char* at, const char* end) {
    const CharAt first = char_at(at, end);
    if (is_number(first.kind)) return skip_numbers(at, end, rules.digits, is_number);
    const char* const next = at + first.bytes;
    const char* word = nullptr;
    const char* upper = nullptr;         // end of a word without lowercase
    const char* upper_behind = nullptr;  // the same, after a first character
    const bool letter = is_letter(first.kind);
    if (!letter && first.kind != CharKind::kNewline) word = word_at(next, end, &upper_behind);
    if (word == nullptr && case_of(at, first.kind) != Case::kNone) word = word_at(at, end, &upper);
    if (word == nullptr) word = upper_behind != nullptr ? upper_behind : upper;
    if (word != nullptr) return with_contraction(word, end);
    if (!is_blank(first.kind)) return skip_others(next, end);
    if (first.kind == CharKind::kSpace && next != end && is_other(char_at(next, end).kind)) {
      return skip_others(next, end);
    }
    return skip_blanks<Blanks::kNewlines>(at, end, [](const char*, CharAt) { return false; });
  }
};

template <CasedRules rules>
constexpr ScanPieces kCasedScan = scan_by<Cased<rules>::next_piece>;

}  // namespace

const ScanPieces kScanO200k = kCasedScan<CasedRules{}>;
const ScanPieces kScanO200kInLlamaCpp =
    kCasedScan<CasedRules{.contractions = Contractions::kAnyCase, .cases_of_ascii_only = true}>;
const ScanPieces kScanTekken = kCasedScan<CasedRules{.contractions_belong = false, .digits = 1}>;
const ScanPieces kScanTekkenInLlamaCpp =
    kCasedScan<CasedRules{.contractions_belong = false, .digits = 1, .cases_of_ascii_only = true}>;

}  // namespace pedro
