#include "json_schema/schema_keywords.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>
#include <vector>

#include "base/text.h"
#include "regular/decimal.h"

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

constexpr SchemaKeyword kTable[] = {
    {"title", 0},
    {"description", 0},
    {"default", 0},
    {"example", 0},
    {"examples", 0},
    {"deprecated", 0},
    {"readOnly", 0},
    {"writeOnly", 0},
    {"$comment", 0},
    {"$schema", 0},
    {"$vocabulary", 0},
    {"$id", 0},
    {"id", 0},
    {"$anchor", 0},
    {"$dynamicAnchor", 0},
    {"$defs", 0},
    {"definitions", 0},
    {"contentEncoding", 0},
    {"contentMediaType", 0},
    {"contentSchema", 0},
    {"x-gbnf"},
    {"x-names", kStringType | kNumberTypes},
    {"$ref"},
    {"$dynamicRef"},
    {"$recursiveRef"},
    {"type"},
    {"enum"},
    {"const"},
    {"allOf"},
    {"anyOf"},
    {"oneOf"},
    {"not"},
    {"if"},
    {"then"},
    {"else"},
    {"minLength", kStringType},
    {"maxLength", kStringType},
    {"pattern", kStringType},
    {"format", kStringType},
    {"minimum", kNumberTypes},
    {"maximum", kNumberTypes},
    {"exclusiveMinimum", kNumberTypes},
    {"exclusiveMaximum", kNumberTypes},
    {"multipleOf", kNumberTypes},
    {"items", kArrayType},
    {"prefixItems", kArrayType},
    {"additionalItems", kArrayType},
    {"minItems", kArrayType},
    {"maxItems", kArrayType},
    {"uniqueItems", kArrayType},
    {"contains", kArrayType},
    {"minContains", kArrayType},
    {"maxContains", kArrayType},
    {"unevaluatedItems", kArrayType},
    {"properties", kObjectType},
    {"required", kObjectType},
    {"additionalProperties", kObjectType},
    {"patternProperties", kObjectType},
    {"propertyNames", kObjectType},
    {"minProperties", kObjectType},
    {"maxProperties", kObjectType},
    {"unevaluatedProperties", kObjectType},
    {"dependencies", kObjectType},
    {"dependentRequired", kObjectType},
    {"dependentSchemas", kObjectType},
};

constexpr std::string_view kDataKeywords[] = {"enum", "const", "default", "example", "examples"};
constexpr std::string_view kNamesKeywords[] = {"properties",  "patternProperties", "$defs",
                                               "definitions", "dependentSchemas",  "dependencies"};

struct NamedType {
  std::string_view name;
  std::string_view phrase;
  TypeBits types;
};
constexpr NamedType kTypes[] = {
    {"object", "an object", kObjectType}, {"array", "an array", kArrayType},
    {"string", "a string", kStringType},  {"integer", "an integer", kIntegerType},
    {"number", "a number", kNumberTypes}, {"boolean", "a boolean", kBooleanType},
    {"null", "null", kNullType},
};

std::string phrase_of(TypeBits types) {
  std::vector<std::string> phrases;
  for (const NamedType& type : kTypes) {
    const bool number_too = type.types == kIntegerType && (types & kFractionType) != 0;
    if ((types & type.types) == type.types && !number_too) phrases.emplace_back(type.phrase);
  }
  return join(phrases, " or ");
}

}  // namespace

Json with_short_texts(Json json, long long longest) {
  std::vector<Json*> todo{&json};
  while (!todo.empty()) {
    Json& at = *todo.back();
    todo.pop_back();
    if (at.is_object() && text_of(at, "type") == "string" && !at.contains("enum")) {
      at["maxLength"] = std::min(longest, number_of(at, "maxLength", longest));
    }
    if (!at.is_structured()) continue;
    for (Json& part : at) todo.push_back(&part);
  }
  return json;
}

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

Json moved_schema(Json schema, const std::string& pointer) {
  if (!schema.is_object()) return schema;
  for (const char* annotation : {"$schema", "$id", "id", "title", "description", "examples"}) {
    schema.erase(annotation);
  }
  std::set<const Json*> inner;  // of another resource, which its pointers are relative to
  for_each_schema(schema, [&](Json& part) {
    if (inner.contains(&part)) return;
    const std::string id = text_of(part, "$id");
    if (!id.empty() && !id.starts_with('#')) {
      return for_each_schema(part, [&inner](Json& one) { inner.insert(&one); });
    }
    const auto reference = part.find("$ref");
    if (reference == part.end() || !reference->is_string()) return;
    auto& target = reference->get_ref<std::string&>();
    if (target == "#" || target.starts_with("#/")) target.insert(1, pointer);
  });
  return schema;
}

const SchemaKeyword* find_keyword(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kTable), std::end(kTable),
                                         [&](const auto& row) { return row.name == name; });
  return found == std::end(kTable) ? nullptr : found;
}

bool holds_data(std::string_view keyword) {
  return std::find(std::begin(kDataKeywords), std::end(kDataKeywords), keyword) !=
         std::end(kDataKeywords);
}

bool holds_names(std::string_view keyword) {
  return std::find(std::begin(kNamesKeywords), std::end(kNamesKeywords), keyword) !=
         std::end(kNamesKeywords);
}

void for_each_schema(Json& document, const std::function<void(Json&)>& visit) {
  struct Part {
    Json& json;
    bool names = false;
  };
  std::vector<Part> todo{{document}};
  while (!todo.empty()) {
    const Part at = todo.back();
    todo.pop_back();
    if (!at.json.is_structured()) continue;
    const bool is_schema = at.json.is_object() && !at.names;
    if (is_schema) visit(at.json);
    for (const auto& [key, value] : at.json.items()) {
      if (!is_schema) {
        todo.push_back({value});
      } else if (!holds_data(key)) {
        todo.push_back({value, holds_names(key)});
      }
    }
  }
}

TypeBits type_named(std::string_view name) {
  for (const NamedType& type : kTypes) {
    if (type.name == name) return type.types;
  }
  return 0;
}

bool is_whole(const Json& number) {
  if (number.is_binary()) {
    const auto exact = parse_decimal(to_line(number));
    return exact && exact->fraction.empty();
  }
  if (!number.is_number_float()) return true;
  const double real = number.get<double>();
  return std::floor(real) == real;
}

Error schema_error(std::string_view pointer, std::string_view text) {
  return Error{ErrorKind::kConfig, fmt::format("{}: {}", pointer.empty() ? "/" : pointer, text)};
}

Status check_keywords(const Json& schema, std::string_view pointer, TypeBits types) {
  for (const auto& [key, value] : schema.items()) {
    const SchemaKeyword* keyword = find_keyword(key);
    if (keyword == nullptr) {
      std::vector<std::string> names;
      for (const SchemaKeyword& row : kTable) names.emplace_back(row.name);
      return schema_error(pointer_to(pointer, key), "unknown keyword" + did_you_mean(key, names));
    }
    if (keyword->types == 0 || (keyword->types & types) != 0) continue;
    return schema_error(pointer_to(pointer, key),
                        fmt::format("this keyword does not apply to {}", phrase_of(types)));
  }
  return {};
}

Error unknown_type(const Json& name, std::string_view pointer) {
  std::vector<std::string> names;
  for (const NamedType& type : kTypes) names.emplace_back(type.name);
  const std::string hint = name.is_string() ? did_you_mean(name.get<std::string>(), names) : "";
  return schema_error(pointer,
                      fmt::format("unknown type{}; there are {}", hint, join(names, ", ")));
}

}  // namespace pedro
