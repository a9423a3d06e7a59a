#include "grammar/schema_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/pattern_set.h"

namespace pedro {
namespace {

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
                 [](const Json& value) { return value.is_number(); });
  }
  return numbers;
}

Result<TextSet> forms_of_number(const Json& value) {
  const auto exact = parse_decimal(to_line(value));
  if (!exact) return Error{ErrorKind::kLimit, to_line(value) + " has too many digits"};
  return forms_of_number(*exact);
}

// A set under construction: what fails leaves it as it was and is reported.
class Narrowing {
 public:
  Narrowing(TextSet set, LooseEnds& loose) : set_(std::move(set)), loose_(loose) {}

  void keep(const Result<TextSet>& others, SchemaId where, std::string_view keyword) {
    take(others ? intersection(set_, *others) : others, where, keyword);
  }
  void remove(const Result<TextSet>& others, SchemaId where, std::string_view keyword) {
    take(others ? difference(set_, *others) : others, where, keyword);
  }

  TextSet set() && { return std::move(set_); }

 private:
  void take(Result<TextSet> narrower, SchemaId where, std::string_view keyword) {
    if (narrower) {
      set_ = *std::move(narrower);
    } else {
      loose_.add(where, keyword, "more: " + narrower.error().message);
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
  Narrowing strings(TextSet::any(), loose);
  for (const TextIn* text : shape.texts) {
    strings.keep(text->set, shape.source("pattern"), text->keyword);
  }
  for (const TextIn* text : shape.excluded_texts)
    strings.remove(text->set, Schema::kAnything, "not");
  if (!excluded.empty()) {
    strings.remove(TextSet::of(excluded), shape.source("enum"), "not");
  }
  if (shape.length.min > 0 || shape.length.max) {
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

std::optional<TextSet> texts_of(const Schema& schema, const Goal& goal, LooseEnds& loose) {
  if (goal.empty()) return std::nullopt;
  TextSet all;
  std::set<Goal> seen{goal};
  std::vector<Goal> todo{goal};
  while (!todo.empty()) {
    const Goal at = std::move(todo.back());
    todo.pop_back();
    const Ways ways = find_ways(schema, at, loose);
    for (const Goal& option : ways.goals) {
      if (seen.insert(option).second) todo.push_back(option);
    }
    for (const Shape& shape : ways.shapes) {
      if ((shape.types & kStringType) == 0) continue;
      std::optional<TextSet> some;
      if (!shape.values.empty()) {
        std::vector<std::string_view> texts;
        for (const Json& value : shape.values.front()->values) {
          if (value.is_string() && fits(schema, at, value)) {
            texts.emplace_back(value.get_ref<const std::string&>());
          }
        }
        const Result<TextSet> listed = TextSet::of(texts);
        if (listed) some = *listed;
      } else {
        some = texts_of(shape, loose);
      }
      const Result<TextSet> more = some ? union_of(all, *some) : Result<TextSet>(TextSet::any());
      if (!more) return std::nullopt;
      all = *more;
    }
  }
  if (all.is_any()) return std::nullopt;
  return all;
}

TextSet numbers_of(const Shape& shape, LooseEnds& loose) {
  NumberLimits limits = limits_of(shape);
  for (const MultipleOf* multiple : shape.multiples)
    limits.multiples_of.push_back(multiple->divisor);
  Result<TextSet> set = number_set(limits);
  if (!set) {
    loose.add(shape.source("multipleOf"), "multipleOf", "any number: " + set.error().message);
    limits.multiples_of.clear();
    set = number_set(limits);
  }
  if (!set) {
    loose.add(shape.source("minimum"), "minimum", "any number: " + set.error().message);
    limits = NumberLimits{limits.integer, {}, {}, {}};
    set = number_set(limits);
  }
  Narrowing numbers(set ? *std::move(set) : TextSet(), loose);
  for (const Json& value : excluded_numbers(shape)) {
    numbers.remove(forms_of_number(value), shape.source("enum"), "not");
  }
  if ((shape.types & kIntegerType) == 0) {
    numbers.remove(pattern_set("^(-?\\d+(\\.0+)?|.*[eE].*)$"), Schema::kAnything, "not");
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
