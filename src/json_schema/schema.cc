#include "json_schema/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "base/utf8.h"
#include "json_schema/schema_keywords.h"

namespace pedro {
namespace {

template <typename Take>
void for_each_part(const SchemaNode& node, Take take) {
  for (const Assertion& one : node.assertions) {
    const auto* all = std::get_if<AllOf>(&one);
    if (all == nullptr) continue;
    for (const SchemaId part : all->parts) take(part);
  }
}

constexpr std::size_t kMaxWords = 200;  // bytes
constexpr int kMaxSight = 8;            // levels of nested schemas to inspect

std::string counted(std::string_view noun, std::size_t min, std::optional<std::size_t> max,
                    std::string_view unit) {
  const auto plural = [](std::size_t count) { return count == 1 ? "" : "s"; };
  if (max == min) return fmt::format("{} of {} {}{}", noun, min, unit, plural(min));
  if (max && min > 0) return fmt::format("{} of {} to {} {}s", noun, min, *max, unit);
  if (max) return fmt::format("{} of at most {} {}{}", noun, *max, unit, plural(*max));
  if (min > 0) return fmt::format("{} of at least {} {}{}", noun, min, unit, plural(min));
  return std::string(noun);
}

std::string bounded(std::string_view noun, const NumberRange& range) {
  const auto& [lower, upper] = range;
  const bool both = lower && upper && !lower->exclusive && !upper->exclusive;
  if (both) {
    return fmt::format("{} from {} to {}", noun, to_string(lower->value), to_string(upper->value));
  }
  std::string out(noun);
  if (lower) out += fmt::format(" {} {}", lower->exclusive ? ">" : ">=", to_string(lower->value));
  if (lower && upper) out += " and";
  if (upper) out += fmt::format(" {} {}", upper->exclusive ? "<" : "<=", to_string(upper->value));
  return out;
}

std::string shortened(std::string text) {
  if (text.size() <= kMaxWords) return text;
  return std::string(truncate_utf8(text, kMaxWords)) + " ...";
}

// Stops after enough text, so that a thousand values cost no more than a few.
template <typename List, typename Describe>
std::string one_of_these(const List& list, Describe one) {
  std::string out;
  for (std::size_t i = 0; i < list.size() && out.size() <= kMaxWords; ++i) {
    if (i > 0) out += i + 1 == list.size() ? " or " : ", ";
    out += one(list[i]);
  }
  return out;
}

template <typename T>
const T* assertion(const SchemaNode& node) {
  for (const Assertion& one : node.assertions) {
    if (const T* found = std::get_if<T>(&one)) return found;
  }
  return nullptr;
}

class Describer {
 public:
  Describer(const Schema& schema, TypeBits about) : schema_(schema), about_(about) {}

  std::string node(SchemaId id, int depth) const {
    const SchemaNode& node = schema_[id];
    if (const auto* set = assertion<ValueIs>(node)) return one_of_these(set->values, to_line);
    if (const auto* raw = assertion<RawRules>(node)) return "a text matching " + raw->text;
    if (const auto* text = assertion<TextOfGraph>(node)) return text->noun;
    const auto* type = assertion<TypeIs>(node);
    if (type == nullptr && depth < kMaxSight) {
      const auto part = [&](SchemaId option) { return this->node(option, depth + 1); };
      if (const auto* any = assertion<AnyOf>(node)) return one_of_these(any->options, part);
      if (const auto* one = assertion<OneOf>(node)) return one_of_these(one->options, part);
      const auto* all = assertion<AllOf>(node);
      if (all && all->parts.size() == 1) return part(all->parts.front());
      if (const auto* negated = assertion<Not>(node))
        return "anything but " + part(negated->schema);
    }
    const TypeBits types = type ? type->types : implied_types(node);
    return of_types(node, (types & about_) != 0 && depth == 0 ? types & about_ : types);
  }

 private:
  // Returns the types that the assertions are about, or all types if there are none.
  static TypeBits implied_types(const SchemaNode& node) {
    TypeBits types = 0;
    if (assertion<LengthRange>(node) || assertion<TextIn>(node)) types |= kStringType;
    if (assertion<NumberRange>(node) || assertion<MultipleOf>(node)) types |= kNumberTypes;
    if (assertion<ItemCount>(node) || assertion<Items>(node)) types |= kArrayType;
    if (assertion<Properties>(node) || assertion<Required>(node)) types |= kObjectType;
    return types == 0 ? kAllTypes : types;
  }

  std::string of_types(const SchemaNode& node, TypeBits types) const {
    if (types == 0) return "nothing";
    if (types == kAllTypes) return "any value";
    std::vector<std::string> words;
    for (const TypeBits bit : {kObjectType, kArrayType, kStringType}) {
      if ((types & bit) != 0) words.push_back(of_type(node, bit));
    }
    if ((types & kNumberTypes) != 0) {
      words.push_back(of_type(node, types & kNumberTypes));
    }
    for (const TypeBits bit : {kBooleanType, kNullType}) {
      if ((types & bit) != 0) words.push_back(of_type(node, bit));
    }
    return one_of_these(words, [](const std::string& word) { return word; });
  }

  static std::string of_type(const SchemaNode& node, TypeBits type) {
    switch (type) {
      case kObjectType:
        return object(node);
      case kArrayType: {
        const auto* count = assertion<ItemCount>(node);
        return count ? counted("an array", count->min, count->max, "item") : "an array";
      }
      case kStringType:
        return string(node);
      case kBooleanType:
        return "true or false";
      case kNullType:
        return "null";
      default:
        return number(node, type == kIntegerType ? "an integer" : "a number");
    }
  }

  static std::string object(const SchemaNode& node) {
    const auto* rules = assertion<Properties>(node);
    if (rules && rules->declared.empty() && rules->patterns.empty() &&
        rules->others == Schema::kNothing) {
      return "an object without properties";
    }
    const auto* count = assertion<PropertyCount>(node);
    if (!count) return "an object";
    return replace_all(counted("an object", count->min, count->max, "property"), "propertys",
                       "properties");
  }

  static std::string string(const SchemaNode& node) {
    const auto* length = assertion<LengthRange>(node);
    std::string words =
        length ? counted("a string", length->min, length->max, "character") : "a string";
    if (const auto* text = assertion<TextIn>(node)) {
      words += fmt::format(" {} {}", text->keyword == "format" ? "in the format" : "that matches",
                           text->text);
    }
    return words;
  }

  static std::string number(const SchemaNode& node, std::string_view noun) {
    const auto* range = assertion<NumberRange>(node);
    std::string words = range ? bounded(noun, *range) : std::string(noun);
    if (const auto* multiple = assertion<MultipleOf>(node)) {
      words += " that is a multiple of " + to_string(multiple->divisor);
    }
    return words;
  }

  const Schema& schema_;
  TypeBits about_;
};

TypeBits sight(const Schema& schema, SchemaId id, int depth, std::set<SchemaId>& seen) {
  TypeBits types = kAllTypes;
  if (!seen.insert(id).second) return types;
  for (const Assertion& one : schema[id].assertions) {
    if (const auto* type = std::get_if<TypeIs>(&one)) types &= type->types;
    if (const auto* set = std::get_if<ValueIs>(&one)) {
      TypeBits of_values = 0;
      for (const Json& value : set->values) of_values |= type_of(value);
      types &= of_values;
    }
    const auto* all = std::get_if<AllOf>(&one);
    if (!all || depth >= kMaxSight) continue;
    for (const SchemaId part : all->parts) types &= sight(schema, part, depth + 1, seen);
  }
  return types;
}

constexpr std::array<std::string_view, std::variant_size_v<Assertion>> kKeywords = {
    "type",
    "enum",
    "maxLength",
    "pattern",
    "minimum",
    "multipleOf",
    "maxItems",
    "items",
    "unevaluatedItems",
    "contains",
    "uniqueItems",
    "maxProperties",
    "required",
    "properties",
    "unevaluatedProperties",
    "propertyNames",
    "dependencies",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "x-gbnf",
    "x-names",
    "x-names",
    "$ref"};

}  // namespace

// Kahn's algorithm: removes nodes that are part of no remaining node; the rest contains cycles.
Status check_circles(const Schema& schema) {
  std::vector<std::size_t> holders(schema.nodes.size());
  for (const SchemaNode& node : schema.nodes) {
    for_each_part(node, [&](SchemaId part) { ++holders[part]; });
  }
  std::vector<SchemaId> free;
  for (SchemaId id = 0; id < holders.size(); ++id) {
    if (holders[id] == 0) free.push_back(id);
  }
  for (std::size_t done = 0; done < free.size(); ++done) {
    for_each_part(schema[free[done]], [&](SchemaId part) {
      if (--holders[part] == 0) free.push_back(part);
    });
  }
  const auto left = std::find_if(holders.begin(), holders.end(), [](auto n) { return n > 0; });
  if (left == holders.end()) return {};
  return schema_error(schema.nodes[static_cast<std::size_t>(left - holders.begin())].pointer,
                      "refers to itself endlessly");
}

void shorten_references(Schema& schema) {
  const auto next = [&](SchemaId id) {
    auto& assertions = schema.nodes[id].assertions;
    auto* all = assertions.size() == 1 ? std::get_if<AllOf>(&assertions.front()) : nullptr;
    return all != nullptr && all->parts.size() == 1 ? &all->parts.front() : nullptr;
  };
  std::vector<SchemaId*> chain;
  for (SchemaId id = 0; id < schema.nodes.size(); ++id) {
    SchemaId end = id;
    for (SchemaId* part = next(id); part != nullptr; part = next(end)) {
      chain.push_back(part);
      end = *part;
    }
    for (SchemaId* part : std::exchange(chain, {})) *part = end;
  }
}

TypeBits type_of(const Json& value) {
  if (value.is_object()) return kObjectType;
  if (value.is_array()) return kArrayType;
  if (value.is_string()) return kStringType;
  if (value.is_boolean()) return kBooleanType;
  if (value.is_null()) return kNullType;
  return is_whole(value) ? kIntegerType : kFractionType;
}

std::string_view keyword_of(const Assertion& assertion) {
  if (const auto* text = std::get_if<TextIn>(&assertion)) return text->keyword;
  if (const auto* unknown = std::get_if<Unknown>(&assertion)) return unknown->keyword;
  return kKeywords[assertion.index()];
}

std::optional<Named> parse_named(std::string_view text) {
  static constexpr std::string_view kNames[] = {"file", "folder", "place", "new_file",
                                                "line", "lines",  "symbol"};
  const auto* const found = std::find(std::begin(kNames), std::end(kNames), text);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<Named>(found - std::begin(kNames));
}

const SchemaId* Properties::find(std::string_view name) const {
  const auto found = std::find_if(declared.begin(), declared.end(),
                                  [&](const auto& property) { return property.first == name; });
  return found == declared.end() ? nullptr : &found->second;
}

bool Properties::covers(const std::string& name) const {
  return find(name) != nullptr ||
         std::any_of(patterns.begin(), patterns.end(),
                     [&](const Pattern& pattern) { return pattern.names.contains(name); });
}

Schema::Schema() {
  Properties closed;
  closed.others = kNothing;
  closed.others_declared = true;
  nodes.push_back(SchemaNode{});
  nodes.push_back(SchemaNode{{TypeIs{0}}, ""});
  nodes.push_back(SchemaNode{{TypeIs{kObjectType}, std::move(closed)}, ""});
}

std::string pointer_to(std::string_view pointer, std::string_view step) {
  return std::string(pointer) + "/" + replace_all(replace_all(step, "~", "~0"), "/", "~1");
}

TypeBits types_at_first_sight(const Schema& schema, SchemaId id) {
  std::set<SchemaId> seen;
  return sight(schema, id, 0, seen);
}

std::string describe(const Schema& schema, SchemaId id, TypeBits about) {
  return shortened(Describer(schema, about).node(id, 0));
}

}  // namespace pedro
