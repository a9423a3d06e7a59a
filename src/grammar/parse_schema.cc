#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "grammar/schema.h"
#include "grammar/schema_keywords.h"

namespace pedro {
namespace {

using Words = std::vector<std::string>;
using Types = std::vector<const SchemaType*>;

bool deeper_than(const Json& value, int limit) {
  if (!value.is_structured()) return false;
  if (limit == 0) return true;
  return std::any_of(value.begin(), value.end(),
                     [limit](const Json& part) { return deeper_than(part, limit - 1); });
}

class SchemaParser {
 public:
  explicit SchemaParser(const SchemaLimits& limits) : limits_(limits) { schema_.nodes.clear(); }

  Result<Schema> parse(const Json& document) {
    const auto root = node(document, "", 0);
    if (!root.ok()) return root.error();
    schema_.root = *root;
    return std::move(schema_);
  }

 private:
  using Id = Result<SchemaId>;

  Id node(const Json& json, const std::string& pointer, int depth) {
    if (!json.is_object()) return schema_error(pointer, "expected a schema (an object)");
    if (depth >= limits_.max_depth) {
      return schema_error(pointer,
                          fmt::format("schemas nested more than {} deep", limits_.max_depth));
    }
    if (json.contains("enum") || json.contains("const")) return enumeration(json, pointer);
    if (json.contains("anyOf")) return any_of(json, "anyOf", pointer, depth);
    if (json.contains("oneOf")) return any_of(json, "oneOf", pointer, depth);
    if (!json.contains("type")) {
      const Status known = check_keywords(json, pointer, "a schema without a type",
                                          Words{"enum", "const", "anyOf", "oneOf"});
      if (!known.ok()) return known.error();
      return schema_error(pointer, "expected 'type', 'enum', 'const', 'anyOf' or 'oneOf'");
    }
    return typed(json, pointer, depth);
  }

  Id add(const std::string& pointer, decltype(SchemaNode::spec) spec) {
    if (schema_.nodes.size() >= limits_.max_nodes) {
      return schema_error(pointer, fmt::format("more than {} schemas in one", limits_.max_nodes));
    }
    schema_.nodes.push_back(SchemaNode{std::move(spec), pointer});
    return schema_.nodes.size() - 1;
  }

  Result<Types> types_of(const Json& json, const std::string& pointer) {
    const Json& type = member(json, "type");
    const std::string place = pointer_to(pointer, "type");
    const Json list = type.is_array() ? type : Json::array({type});
    Types rows;
    for (const Json& name : list) {
      const auto found =
          std::find_if(schema_types().begin(), schema_types().end(),
                       [&name](const SchemaType& row) { return name == std::string(row.name); });
      if (found == schema_types().end()) return unknown_type(name, place);
      if (std::find(rows.begin(), rows.end(), &*found) != rows.end()) {
        return schema_error(place, fmt::format("'{}' stands there twice", found->name));
      }
      rows.push_back(&*found);
    }
    if (rows.empty()) return schema_error(place, "expected at least one type");
    return rows;
  }

  static Error unknown_type(const Json& name, const std::string& place) {
    Words names;
    for (const SchemaType& row : schema_types()) names.emplace_back(row.name);
    const std::string hint = name.is_string() ? did_you_mean(name.get<std::string>(), names) : "";
    return schema_error(place,
                        fmt::format("unknown type{}; there are {}", hint, join(names, ", ")));
  }

  Id typed(const Json& json, const std::string& pointer, int depth) {
    const auto types = types_of(json, pointer);
    if (!types.ok()) return types.error();
    Words keywords{"type"};
    std::string taker;
    for (const SchemaType* row : *types) {
      taker += (taker.empty() ? "" : " or ") + std::string(row->phrase);
      for (const std::string& keyword : row->keywords) {
        if (std::find(keywords.begin(), keywords.end(), keyword) == keywords.end()) {
          keywords.push_back(keyword);
        }
      }
    }
    const Status known = check_keywords(json, pointer, taker, keywords);
    if (!known.ok()) return known.error();
    if (types->size() == 1) return of_type(types->front()->name, json, pointer, depth);
    AnyOfSpec spec;
    for (const SchemaType* row : *types) {
      auto option = of_type(row->name, json, pointer, depth);
      if (!option.ok()) return option;
      spec.options.push_back(*option);
    }
    return add(pointer, std::move(spec));
  }

  Id of_type(std::string_view type, const Json& json, const std::string& pointer, int depth) {
    if (type == "object") return object(json, pointer, depth);
    if (type == "array") return array(json, pointer, depth);
    if (type == "string") return string(json, pointer);
    if (type == "integer") return integer(json, pointer);
    if (type == "number") return number(json, pointer);
    if (type == "boolean") return add(pointer, BooleanSpec{});
    return add(pointer, NullSpec{});
  }

  Id object(const Json& json, const std::string& pointer, int depth) {
    const Json& properties = member(json, "properties");
    if (!properties.is_object()) {
      return schema_error(pointer_to(pointer, "properties"),
                          "expected an object (a free-form object is not supported)");
    }
    if (json.contains("additionalProperties") && member(json, "additionalProperties") != false) {
      return schema_error(pointer_to(pointer, "additionalProperties"),
                          "only false is supported (it is the default here)");
    }
    ObjectSpec spec;
    const std::string place = pointer_to(pointer, "properties");
    for (const auto& [name, value] : properties.items()) {
      if (name.size() > limits_.max_name_bytes) {
        return schema_error(place, fmt::format("a name of {} bytes, more than the limit of {}",
                                               name.size(), limits_.max_name_bytes));
      }
      auto child = node(value, pointer_to(place, name), depth + 1);
      if (!child.ok()) return child;
      spec.properties.push_back(PropertySpec{name, *child, false});
    }
    const Status marked = mark_required(json, pointer, spec);
    if (!marked.ok()) return marked.error();
    return add(pointer, std::move(spec));
  }

  static Status mark_required(const Json& json, const std::string& pointer, ObjectSpec& spec) {
    if (!json.contains("required")) return {};
    const std::string place = pointer_to(pointer, "required");
    const Json& names = member(json, "required");
    if (!names.is_array()) return schema_error(place, "expected an array of property names");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto found =
          std::find_if(spec.properties.begin(), spec.properties.end(),
                       [&](const PropertySpec& property) { return names[i] == property.name; });
      if (found == spec.properties.end()) {
        return schema_error(pointer_to(place, std::to_string(i)),
                            "expected the name of a declared property");
      }
      found->required = true;
    }
    return {};
  }

  Id array(const Json& json, const std::string& pointer, int depth) {
    if (!json.contains("items")) {
      return schema_error(pointer_to(pointer, "items"),
                          "expected a schema (an array of anything is not supported)");
    }
    const auto min = count(json, "minItems", pointer);
    if (!min.ok()) return min.error();
    const auto max = count(json, "maxItems", pointer);
    if (!max.ok()) return max.error();
    if (*max && **max < min->value_or(0)) return crossed(json, "minItems", "maxItems", pointer);
    auto items = node(member(json, "items"), pointer_to(pointer, "items"), depth + 1);
    if (!items.ok()) return items;
    return add(pointer, ArraySpec{*items, min->value_or(0), *max});
  }

  Id string(const Json& json, const std::string& pointer) {
    const auto min = count(json, "minLength", pointer);
    if (!min.ok()) return min.error();
    const auto max = count(json, "maxLength", pointer);
    if (!max.ok()) return max.error();
    if (*max && **max < min->value_or(0)) return crossed(json, "minLength", "maxLength", pointer);
    return add(pointer, StringSpec{min->value_or(0), *max});
  }

  Id integer(const Json& json, const std::string& pointer) {
    IntegerSpec spec;
    for (const auto& [key, bound] :
         {std::pair{"minimum", &spec.minimum}, std::pair{"maximum", &spec.maximum}}) {
      if (!json.contains(key)) continue;
      const Json& value = member(json, key);
      const bool small =
          value.is_number_integer() && (!value.is_number_unsigned() ||
                                        value.get<unsigned long long>() <= 9223372036854775807ull);
      if (!small) return schema_error(pointer_to(pointer, key), "expected an integer of 64 bits");
      *bound = value.get<long long>();
    }
    if (spec.minimum && spec.maximum && *spec.maximum < *spec.minimum) {
      return crossed(json, "minimum", "maximum", pointer);
    }
    return add(pointer, spec);
  }

  Id number(const Json& json, const std::string& pointer) {
    NumberSpec spec;
    for (const auto& [key, bound] :
         {std::pair{"minimum", &spec.minimum}, std::pair{"maximum", &spec.maximum}}) {
      if (!json.contains(key)) continue;
      const Json& value = member(json, key);
      if (!value.is_number()) return schema_error(pointer_to(pointer, key), "expected a number");
      *bound = value.get<double>();
    }
    if (spec.minimum && spec.maximum && *spec.maximum < *spec.minimum) {
      return crossed(json, "minimum", "maximum", pointer);
    }
    return add(pointer, spec);
  }

  Id enumeration(const Json& json, const std::string& pointer) {
    const bool single = json.contains("const");
    const char* key = single ? "const" : "enum";
    const Status known =
        check_keywords(json, pointer, single ? "a const" : "an enum", Words{"type", key});
    if (!known.ok()) return known.error();
    const std::string place = pointer_to(pointer, key);
    const Json& listed = member(json, key);
    if (!single && !listed.is_array()) return schema_error(place, "expected an array of values");
    EnumSpec spec;
    if (single) {
      spec.values.push_back(listed);
    } else {
      spec.values.assign(listed.begin(), listed.end());
    }
    if (spec.values.empty()) return schema_error(place, "expected at least one value");
    if (spec.values.size() > limits_.max_enum_values) {
      return schema_error(place, fmt::format("{} values, more than the limit of {}",
                                             spec.values.size(), limits_.max_enum_values));
    }
    const Status fits = check_values(json, pointer, single ? "" : "enum", spec);
    if (!fits.ok()) return fits.error();
    return add(pointer, std::move(spec));
  }

  Status check_values(const Json& json, const std::string& pointer, std::string_view list,
                      const EnumSpec& spec) {
    Types types;
    if (json.contains("type")) {
      auto found = types_of(json, pointer);
      if (!found.ok()) return found.error();
      types = std::move(*found);
    }
    for (std::size_t i = 0; i < spec.values.size(); ++i) {
      const std::string place = list.empty()
                                    ? pointer_to(pointer, "const")
                                    : pointer_to(pointer_to(pointer, list), std::to_string(i));
      if (deeper_than(spec.values[i], limits_.max_depth)) {
        return schema_error(place, fmt::format("nested more than {} deep", limits_.max_depth));
      }
      const auto fits = [&](const SchemaType* row) { return has_type(spec.values[i], row->name); };
      if (!types.empty() && std::none_of(types.begin(), types.end(), fits)) {
        return schema_error(place, "the value is not of the 'type' beside it");
      }
    }
    return {};
  }

  Id any_of(const Json& json, const char* key, const std::string& pointer, int depth) {
    const Status known = check_keywords(json, pointer, key, Words{key});
    if (!known.ok()) return known.error();
    const std::string place = pointer_to(pointer, key);
    const Json& options = member(json, key);
    if (!options.is_array() || options.empty()) {
      return schema_error(place, "expected an array of at least one schema");
    }
    AnyOfSpec spec;
    spec.exactly_one = std::string_view(key) == "oneOf";
    for (std::size_t i = 0; i < options.size(); ++i) {
      auto option = node(options[i], pointer_to(place, std::to_string(i)), depth + 1);
      if (!option.ok()) return option;
      spec.options.push_back(*option);
    }
    return add(pointer, std::move(spec));
  }

  static Result<std::optional<std::size_t>> count(const Json& json, const char* key,
                                                  const std::string& pointer) {
    constexpr long long kMax = 1'000'000'000;
    if (!json.contains(key)) return std::optional<std::size_t>();
    const Json& value = member(json, key);
    const long long number = value.is_number_integer() ? number_of(json, key, kMax + 1) : -1;
    if (number < 0 || number > kMax) {
      return schema_error(pointer_to(pointer, key),
                          fmt::format("expected an integer from 0 to {}", kMax));
    }
    return std::optional<std::size_t>(static_cast<std::size_t>(number));
  }

  static Error crossed(const Json& json, const char* min, const char* max,
                       const std::string& pointer) {
    return schema_error(pointer_to(pointer, max),
                        fmt::format("{} is less than {} {}", to_line(member(json, max)), min,
                                    to_line(member(json, min))));
  }

  const SchemaLimits& limits_;
  Schema schema_;
};

}  // namespace

Result<Schema> parse_schema(const Json& document, const SchemaLimits& limits) {
  return SchemaParser(limits).parse(document);
}

}  // namespace pedro
