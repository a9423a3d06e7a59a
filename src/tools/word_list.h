#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace pedro {

/// Returns true if an array contains `name`.
template <typename Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace pedro
