#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "base/text.h"

namespace pedro {

/// The name of a numeric setting and the member that stores it.
template <typename T>
struct NamedNumber {
  const char* name;
  double T::*value;
};

/// Reads an object of numbers from 0 to `largest` with the names of `rows` and merges it into
/// `out`. Errors (kConfig) name the invalid member. `noun` names the numbers in messages: "weight".
template <typename T>
Result<T> read_numbers(const Json& object, std::span<const NamedNumber<T>> rows,
                       std::string_view noun, double largest, T out = {}) {
  for (const auto& item : object.items()) {
    const std::string& name = item.key();
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const NamedNumber<T>& one) { return name == one.name; });
    if (row == rows.end()) {
      std::vector<std::string> names;
      for (const NamedNumber<T>& one : rows) names.emplace_back(one.name);
      return Error{ErrorKind::kConfig, fmt::format("unknown {} '{}'{}; there are: {}", noun, name,
                                                   did_you_mean(name, names), join(names, ", "))};
    }
    const double number = item.value().is_number() ? item.value().template get<double>() : -1;
    if (!(number >= 0 && number <= largest)) {
      return Error{ErrorKind::kConfig, fmt::format("{}: expected a number from 0 to {:.0f}, got {}",
                                                   name, largest, to_line(item.value()))};
    }
    out.*(row->value) = number;
  }
  return out;
}

}  // namespace pedro
