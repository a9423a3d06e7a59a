#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"

namespace pedro {

// Lookup in word lists: arrays, or one text with a bar around each word ("|exec|ok|").

template <typename Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

template <typename Found>
bool any_listed(std::string_view list, Found found) {
  const auto words = split(list, '|');
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return !word.empty() && found(word); });
}

inline bool is_listed(std::string_view list, std::string_view name) {
  return any_listed(list, [name](std::string_view word) { return word == name; });
}

}  // namespace pedro
