#include "json_schema/json_values.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"

namespace pedro {
namespace {

// Returns the same text for values that are equal in JSON Schema.
std::string canonical_text(const Json& value) {
  if (is_json_number(value)) {
    const auto exact = parse_decimal(to_line(value));
    return exact ? to_string(*exact) : to_line(value);
  }
  if (!value.is_structured()) return to_line(value);
  std::vector<std::string> parts;
  for (const auto& [name, part] : value.items()) {
    parts.push_back(value.is_object() ? to_line(Json(name)) + ":" + canonical_text(part)
                                      : canonical_text(part));
  }
  if (value.is_object()) std::sort(parts.begin(), parts.end());
  return (value.is_object() ? "{" : "[") + join(parts, ",") + "]";
}

std::optional<Decimal> decimal_of(const Json& number) {
  return parse_decimal(to_line(number));
}

// Compares numbers with more digits than a Decimal supports as doubles.
int compare_number(const Json& value, const Decimal& bound) {
  if (const auto exact = decimal_of(value)) return compare(*exact, bound);
  const double real = std::strtod(to_line(value).c_str(), nullptr);
  const double limit = std::stod(to_string(bound));
  return real < limit ? -1 : real > limit ? 1 : 0;
}

}  // namespace

bool same_json(const Json& a, const Json& b) {
  if (a.is_object() && b.is_object()) {
    if (a.size() != b.size()) return false;
    for (const auto& [name, value] : a.items()) {
      const auto other = b.find(name);
      if (other == b.end() || !same_json(value, *other)) return false;
    }
    return true;
  }
  if (a.is_array() && b.is_array()) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_json);
  }
  if (a.is_binary() || b.is_binary()) return canonical_text(a) == canonical_text(b);
  // nlohmann::json considers 2^64 - 1 equal to -1.
  if (a.is_number_integer() && b.is_number_integer()) return to_line(a) == to_line(b);
  return a == b;
}

bool are_unique(const Json& array) {
  std::set<std::string> seen;
  for (const Json& item : array) {
    if (!seen.insert(canonical_text(item)).second) return false;
  }
  return true;
}

bool within(const Json& number, const NumberRange& range) {
  if (const auto& lower = range.lower) {
    const int order = compare_number(number, lower->value);
    if (order < 0 || (order == 0 && lower->exclusive)) return false;
  }
  if (const auto& upper = range.upper) {
    const int order = compare_number(number, upper->value);
    if (order > 0 || (order == 0 && upper->exclusive)) return false;
  }
  return true;
}

}  // namespace pedro
