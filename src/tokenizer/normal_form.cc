#include "tokenizer/normal_form.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "base/utf8.h"
#include "tokenizer/char_kind.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxParts = 32;  // a character decomposes to at most 18 (U+FDFA)

int combining_class(char32_t c) {
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->combining_class;
}

int options_of(NormalForm form) {
  return form == NormalForm::kKC ? UTF8PROC_STABLE | UTF8PROC_COMPAT : UTF8PROC_STABLE;
}

std::uint8_t suspects_of(NormalForm form) {
  return form == NormalForm::kKC ? kMayChangeInNfkc : kMayChangeInNfc;
}

// Decomposes characters and sorts the marks after each one in canonical order. utf8proc sorts too,
// but by swapping neighbors, in quadratic time; sorted marks need no swaps. A decomposition may
// itself consist of marks, so runs of marks are found among the parts.
std::string decomposed(std::string_view text, NormalForm form) {
  std::string out;
  std::vector<char32_t> pile;
  const auto flush = [&] {
    std::stable_sort(pile.begin(), pile.end(), [](char32_t a, char32_t b) {
      return combining_class(a) < combining_class(b);
    });
    for (const char32_t c : pile) append_utf8(out, c);
    pile.clear();
  };
  const auto options = static_cast<utf8proc_option_t>(options_of(form) | UTF8PROC_DECOMPOSE);
  while (!text.empty()) {
    const std::size_t size = utf8_sequence_length(text);
    std::array<utf8proc_int32_t, kMaxParts> parts{};
    int boundary_class = 0;
    const auto count = utf8proc_decompose_char(
        static_cast<utf8proc_int32_t>(decode_utf8(text.substr(0, size))), parts.data(),
        static_cast<utf8proc_ssize_t>(parts.size()), options, &boundary_class);
    for (utf8proc_ssize_t i = 0; i < count; ++i) {
      const auto part = static_cast<char32_t>(parts[static_cast<std::size_t>(i)]);
      if (combining_class(part) == 0) flush();
      pile.push_back(part);
    }
    text.remove_prefix(size);
  }
  flush();
  return out;
}

// Normalizes well-formed text and appends it.
void append_composed(std::string& out, std::string_view text, NormalForm form) {
  const std::string sorted = decomposed(text, form);
  utf8proc_uint8_t* composed = nullptr;
  const auto size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(sorted.data()),
                   static_cast<utf8proc_ssize_t>(sorted.size()), &composed,
                   static_cast<utf8proc_option_t>(options_of(form) | UTF8PROC_COMPOSE));
  if (size < 0) {
    out += text;
  } else {
    out.append(reinterpret_cast<const char*>(composed), static_cast<std::size_t>(size));
  }
  std::free(composed);
}

/// A character of a text, or one byte that is not UTF-8.
struct Character {
  std::size_t bytes = 1;
  bool may_change = false;
  bool is_text = false;
};

Character character_at(std::string_view text, std::size_t at, std::uint8_t suspects) {
  if (static_cast<unsigned char>(text[at]) < 0x80) return {1, false, true};
  const std::size_t bytes = utf8_sequence_length(text.substr(at, 4));
  if (bytes == 0) return {};
  const char32_t c = decode_utf8(text.substr(at, bytes));
  return {bytes, (char_facts(c) & suspects) != 0, true};
}

}  // namespace

bool may_change(std::string_view text, NormalForm form) {
  if (form == NormalForm::kNone) return false;
  const std::uint8_t suspects = suspects_of(form);
  // No character up to U+02FF changes in form C, and none up to U+007F in form KC.
  const unsigned char first = form == NormalForm::kC ? 0xCC : 0x80;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < first) {
      ++i;
      continue;
    }
    const std::size_t size = utf8_sequence_length(text.substr(i, 4));
    if (size > 0 && (char_facts(decode_utf8(text.substr(i, size))) & suspects) != 0) {
      return true;
    }
    i += std::max<std::size_t>(size, 1);
  }
  return false;
}

// Only copies characters that cannot change, and normalizes the other runs together with the
// preceding character, which they may join.
std::string normalized(std::string_view text, NormalForm form) {
  if (form == NormalForm::kNone) return std::string(text);
  const std::uint8_t suspects = suspects_of(form);
  std::string out;
  out.reserve(text.size());
  std::size_t copied = 0;
  std::size_t before = 0;  // start of the last character that cannot change
  for (std::size_t i = 0; i < text.size();) {
    const Character first = character_at(text, i, suspects);
    if (!first.may_change) {
      before = first.is_text ? i : i + 1;
      i += first.bytes;
      continue;
    }
    out += text.substr(copied, before - copied);
    while (i < text.size()) {
      const Character next = character_at(text, i, suspects);
      if (!next.may_change) break;
      i += next.bytes;
    }
    append_composed(out, text.substr(before, i - before), form);
    copied = before = i;
  }
  return out += text.substr(copied);
}

}  // namespace pedro
