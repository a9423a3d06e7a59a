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
void append_nfc(std::string& out, std::string_view text) {
  if (!may_change_in_nfc(text)) {
    out += text;
    return;
  }
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

std::string to_nfc(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = utf8_sequence_length(text.substr(i, 4));
    if (size == 0) {
      append_nfc(out, text.substr(begin, i - begin));
      out += text[i];
      begin = i + 1;
    }
    i += std::max<std::size_t>(size, 1);
  }
  append_nfc(out, text.substr(begin));
  return out;
}

}  // namespace pedro
