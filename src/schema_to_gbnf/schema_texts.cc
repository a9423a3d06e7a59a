#include "schema_to_gbnf/schema_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "regular/pattern_set.h"

namespace pedro {
namespace {

constexpr std::size_t kNumberSteps = 20'000;  // for the set of a range or of a divisor

std::vector<std::string_view> excluded_texts(const Shape& shape) {
  std::vector<std::string_view> texts;
  for (const ValueIs* set : shape.excluded) {
    for (const Json& value : set->values) {
      if (value.is_string()) texts.emplace_back(value.get_ref<const std::string&>());
    }
  }
  return texts;
}

std::vector<Json> excluded_numbers(const Shape& shape) {
  std::vector<Json> numbers;
  for (const ValueIs* set : shape.excluded) {
    std::copy_if(set->values.begin(), set->values.end(), std::back_inserter(numbers),
                 is_json_number);
  }
  return numbers;
}

Result<TextSet> forms_of_number(const Json& value) {
  const auto exact = parse_decimal(to_line(value));
  if (!exact) return Error{ErrorKind::kLimit, to_line(value) + " has too many digits"};
  return forms_of_number(*exact);
}

// A set under construction. Reports operations that fail and keeps the set unchanged.
class NarrowedSet {
 public:
  NarrowedSet(TextSet set, LooseEnds& loose) : set_(std::move(set)), loose_(loose) {}

  void keep(const Result<TextSet>& others, SchemaId where, std::string_view keyword) {
    take(others ? intersection(set_, *others, &loose_.budget()) : others, where, keyword);
  }
  void remove(const Result<TextSet>& others, SchemaId where, std::string_view keyword) {
    take(others ? difference(set_, *others, &loose_.budget()) : others, where, keyword);
  }

  TextSet set() && { return std::move(set_); }

 private:
  void take(Result<TextSet> narrower, SchemaId where, std::string_view keyword) {
    if (narrower) {
      set_ = *std::move(narrower);
    } else {
      loose_.add(where, keyword, "more; " + narrower.error().message);
    }
  }

  TextSet set_;
  LooseEnds& loose_;
};

NumberLimits limits_of(const Shape& shape) {
  return NumberLimits{(shape.types & kFractionType) == 0, shape.range.lower, shape.range.upper, {}};
}

}  // namespace

bool has_texts(const Shape& shape) {
  return !shape.texts.empty() || !shape.excluded_texts.empty() || !excluded_texts(shape).empty();
}

TextSet texts_of(const Shape& shape, LooseEnds& loose) {
  const std::vector<std::string_view> excluded = excluded_texts(shape);
  NarrowedSet strings(TextSet::any(), loose);
  for (const TextIn* text : shape.texts) {
    strings.keep(text->set, shape.source("pattern"), text->keyword);
  }
  for (const TextIn* text : shape.excluded_texts) {
    strings.remove(text->set, shape.source("not"), "not");
  }
  for (const std::string_view text : excluded) loose.budget().spend(4 * text.size());
  if (!excluded.empty()) {
    strings.remove(TextSet::of(excluded), shape.source("not"), "not");
  }
  if (shape.length.min > 0 || shape.length.max) {
    loose.budget().spend(
        16 * std::min(TextSet::kMaxStates, shape.length.max.value_or(shape.length.min)));
    strings.keep(TextSet::of_length(shape.length.min, shape.length.max), shape.source("maxLength"),
                 "maxLength");
  }
  return std::move(strings).set();
}

std::string texts_key(const Shape& shape) {
  std::string key = fmt::format("{}-{}", shape.length.min, shape.length.max.value_or(~0u));
  for (const TextIn* text : shape.texts) key += fmt::format(" {}:{}", text->keyword, text->text);
  for (const TextIn* text : shape.excluded_texts) {
    key += fmt::format(" not {}:{}", text->keyword, text->text);
  }
  for (const std::string_view text : excluded_texts(shape)) key += " not " + to_line(Json(text));
  return key;
}

TextSet numbers_of(const Shape& shape, LooseEnds& loose) {
  NumberLimits limits = limits_of(shape);
  for (const MultipleOf* multiple : shape.multiples)
    limits.multiples_of.push_back(multiple->divisor);
  loose.budget().spend(kNumberSteps * (1 + limits.multiples_of.size()));
  Result<TextSet> set = number_set(limits);
  if (!set) {
    loose.add(shape.source("multipleOf"), "multipleOf", "any number; " + set.error().message);
    limits.multiples_of.clear();
    set = number_set(limits);
  }
  if (!set) {
    loose.add(shape.source("minimum"), "minimum", "any number; " + set.error().message);
    limits = NumberLimits{limits.integer, {}, {}, {}};
    set = number_set(limits);
  }
  NarrowedSet numbers(set ? *std::move(set) : TextSet(), loose);
  for (const Json& value : excluded_numbers(shape)) {
    if (!loose.budget().spend(kNumberSteps / 16)) break;
    numbers.remove(forms_of_number(value), shape.source("not"), "not");
  }
  if ((shape.types & kIntegerType) == 0) {
    numbers.remove(pattern_set("^(-?\\d+(\\.0+)?|.*[eE].*)$"), shape.source("not"), "not");
  }
  return std::move(numbers).set();
}

std::string numbers_key(const Shape& shape) {
  std::string key = (shape.types & kFractionType) == 0  ? "integer"
                    : (shape.types & kIntegerType) == 0 ? "fraction"
                                                        : "number";
  const auto& [lower, upper] = shape.range;
  if (lower) {
    key += fmt::format(" {} {}", lower->exclusive ? "above" : "from", to_string(lower->value));
  }
  if (upper) {
    key += fmt::format(" {} {}", upper->exclusive ? "below" : "to", to_string(upper->value));
  }
  for (const MultipleOf* multiple : shape.multiples) key += " by " + to_string(multiple->divisor);
  for (const Json& value : excluded_numbers(shape)) key += " not " + to_line(value);
  return key;
}

}  // namespace pedro
