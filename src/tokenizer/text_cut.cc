#include "tokenizer/text_cut.h"

namespace pedro {
namespace {

constexpr char kSpaceBegin = '\xE2';  // first byte of U+2581, the space in tokens

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_letter_or_digit(char c) {
  return is_lower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_visible(char c) {
  return c > ' ' && c < '\x7F';
}

// Returns true if the pre-tokenizer is a scanner that cuts text.
bool cuts_anywhere(const Vocabulary& vocabulary) {
  const PreTokenizer& rules = vocabulary.pre_tokenizer();
  const bool is_one_piece =
      rules.scanner == "none" && vocabulary.facts().symbols == Symbols::kBytes;
  return rules.patterns.empty() && !is_one_piece;
}

bool is_cut(const Vocabulary& vocabulary, std::string_view text, std::size_t at) {
  const char before = text[at - 1];
  const bool characters = vocabulary.facts().symbols == Symbols::kCharacters;
  const bool word = is_lower(before) && text[at] == ' ' && at + 1 < text.size() &&
                    is_lower(text[at + 1]) &&
                    (!characters || !vocabulary.are_neighbours(before, kSpaceBegin));
  // At the end of a text, a blank before the newline would be in the same piece.
  const bool line = !characters && before == '\n' && at >= 2 && is_visible(text[at - 2]) &&
                    is_letter_or_digit(text[at]);
  return word || line;
}

}  // namespace

bool can_cut(const Vocabulary& vocabulary, std::string_view text, std::size_t at) {
  return cuts_anywhere(vocabulary) && is_cut(vocabulary, text, at);
}

std::size_t first_part(const Vocabulary& vocabulary, std::string_view text,
                       std::size_t part_bytes) {
  if (text.size() <= part_bytes || !cuts_anywhere(vocabulary)) return text.size();
  for (std::size_t at = part_bytes; at > part_bytes / 2; --at) {
    if (is_cut(vocabulary, text, at)) return at;
  }
  for (std::size_t at = part_bytes + 1; at < text.size(); ++at) {
    if (is_cut(vocabulary, text, at)) return at;
  }
  return text.size();
}

}  // namespace pedro
