#include "tokenizer/nfc.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/utf8.h"
#include "tokenizer/char_kind.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxPile = 30;  // marks that utf8proc, which sorts by swapping, may sort

int combining_class(char32_t c) {
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->combining_class;
}

// Long runs of marks in canonical order: utf8proc then has nothing to swap.
std::string with_sorted_piles(std::string_view text) {
  std::string out;
  std::vector<char32_t> pile;
  const auto flush = [&] {
    if (pile.size() > kMaxPile) {
      std::stable_sort(pile.begin(), pile.end(), [](char32_t a, char32_t b) {
        return combining_class(a) < combining_class(b);
      });
    }
    for (const char32_t c : pile) append_utf8(out, c);
    pile.clear();
  };
  while (!text.empty()) {
    const std::size_t size = utf8_sequence_length(text);
    const char32_t c = decode_utf8(text.substr(0, size));
    if (combining_class(c) == 0) {
      flush();
      out += text.substr(0, size);
    } else {
      pile.push_back(c);
    }
    text.remove_prefix(size);
  }
  flush();
  return out;
}

// Of well-formed text.
void append_composed(std::string& out, std::string_view text) {
  const std::string sorted = with_sorted_piles(text);
  utf8proc_uint8_t* composed = nullptr;
  const auto size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(sorted.data()),
                   static_cast<utf8proc_ssize_t>(sorted.size()), &composed,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (size < 0) {
    out += text;
  } else {
    out.append(reinterpret_cast<const char*>(composed), static_cast<std::size_t>(size));
  }
  std::free(composed);
}

/// A character of a text; of what is no UTF-8 one byte.
struct Character {
  std::size_t bytes = 1;
  bool may_change = false;
  bool is_text = false;
};

Character character_at(std::string_view text, std::size_t at) {
  if (static_cast<unsigned char>(text[at]) < 0x80) return {1, false, true};
  const std::size_t bytes = utf8_sequence_length(text.substr(at, 4));
  if (bytes == 0) return {};
  const char32_t c = decode_utf8(text.substr(at, bytes));
  return {bytes, (char_facts(c) & kMayChangeInNfc) != 0, true};
}

}  // namespace

bool may_change_in_nfc(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0xCC) {  // up to U+02FF nothing changes
      ++i;
      continue;
    }
    const std::size_t size = utf8_sequence_length(text.substr(i, 4));
    if (size > 0 && (char_facts(decode_utf8(text.substr(i, size))) & kMayChangeInNfc) != 0) {
      return true;
    }
    i += std::max<std::size_t>(size, 1);
  }
  return false;
}

// What does not change stays together with what may: the character before that, which it may join.
std::string to_nfc(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t copied = 0;
  std::size_t before = 0;  // where the last character began that does not change
  for (std::size_t i = 0; i < text.size();) {
    const Character first = character_at(text, i);
    if (!first.may_change) {
      before = first.is_text ? i : i + 1;
      i += first.bytes;
      continue;
    }
    out += text.substr(copied, before - copied);
    while (i < text.size()) {
      const Character next = character_at(text, i);
      if (!next.may_change) break;
      i += next.bytes;
    }
    append_composed(out, text.substr(before, i - before));
    copied = before = i;
  }
  return out += text.substr(copied);
}

}  // namespace pedro
