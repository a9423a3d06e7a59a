#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "json_schema/schema.h"
#include "json_schema/schema_keywords.h"
#include "json_schema/schema_place.h"
#include "regular/pattern_set.h"

namespace pedro {
namespace {

bool deeper_than(const Json& value, int limit) {
  if (!value.is_structured()) return false;
  if (limit == 0) return true;
  return std::any_of(value.begin(), value.end(),
                     [limit](const Json& part) { return deeper_than(part, limit - 1); });
}

/// Processes a worklist of schemas, so it does not recurse on the document. A schema with several
/// references to it is one node.
class SchemaParser {
 public:
  SchemaParser(const Json& document, SchemaDialect dialect, const SchemaLimits& limits)
      : document_(document),
        dialect_(dialect),
        limits_(limits),
        targets_(document, budget_),
        ref_stands_alone_(hides_siblings(text_of(document, "$schema"))) {
    schema_.nodes.resize(2);  // kAnything and kNothing
  }

  Result<Schema> parse() {
    schema_.fingerprint = hash_of(document_, closed() ? kHashSeed + 1 : kHashSeed);
    schema_.root = id_of(document_, "");
    schema_.keeps_order = closed();
    for (std::size_t i = 0; i < todo_.size(); ++i) {
      const Todo todo = todo_[i];
      const SchemaPlace place{*todo.json, todo.id, schema_.nodes[todo.id].pointer};
      budget_.spend(64 + todo.json->size() + place.pointer.size() / 64, 256);
      PEDRO_RETURN_IF_ERROR(parse_node(place));
      if (budget_.is_spent()) {
        return Error{
            ErrorKind::kLimit,
            schema_error(place.pointer, std::string("the schema ") + budget_.why()).message};
      }
      if (schema_.nodes.size() > limits_.max_nodes) {
        return schema_error("", fmt::format("more than {} schemas in one", limits_.max_nodes));
      }
    }
    PEDRO_RETURN_IF_ERROR(check_circles(schema_));
    shorten_references(schema_);
    return std::move(schema_);
  }

 private:
  struct Todo {
    const Json* json = nullptr;
    SchemaId id = 0;
  };

  bool closed() const { return dialect_ == SchemaDialect::kClosed; }

  // Returns the node of a schema and queues it for parsing; `true`, `{}` and `false` have fixed
  // nodes.
  SchemaId id_of(const Json& json, std::string pointer) {
    if (json == true || (json.is_object() && json.empty())) return Schema::kAnything;
    if (json == false) return Schema::kNothing;
    const auto [known, fresh] =
        ids_.try_emplace(&json, static_cast<SchemaId>(schema_.nodes.size()));
    if (fresh) {
      todo_.push_back(Todo{&json, known->second});
      budget_.spend(8, sizeof(SchemaNode) + pointer.size());
      schema_.nodes.push_back(SchemaNode{{}, std::move(pointer)});
    }
    return known->second;
  }

  SchemaId id_at(const SchemaPlace& place, std::string_view key) {
    return id_of(place.at(key), place.to(key));
  }

  void add(const SchemaPlace& place, Assertion assertion) {
    budget_.spend(4, sizeof(Assertion));
    schema_.nodes[place.id].assertions.push_back(std::move(assertion));
  }

  // The keyword remains as an assertion of unknown result: a negation must not exclude its values.
  void skip(const SchemaPlace& place, std::string_view keyword, std::string why) {
    schema_.unchecked.push_back(Unchecked{place.pointer, std::string(keyword), std::move(why)});
    add(place, Unknown{std::string(keyword), find_keyword(keyword)->types});
  }

  Status parse_node(const SchemaPlace& place) {
    if (!place.json.is_object()) {
      return schema_error(place.pointer, "expected a schema (an object, true or false)");
    }
    if (ref_stands_alone_ && place.has("$ref")) return reference(place);
    using Parse = Status (SchemaParser::*)(const SchemaPlace&);
    static constexpr Parse kParts[] = {
        &SchemaParser::type,       &SchemaParser::values,      &SchemaParser::reference,
        &SchemaParser::lengths,    &SchemaParser::pattern,     &SchemaParser::format,
        &SchemaParser::bounds,     &SchemaParser::multiple,    &SchemaParser::item_count,
        &SchemaParser::items,      &SchemaParser::contains,    &SchemaParser::property_count,
        &SchemaParser::required,   &SchemaParser::properties,  &SchemaParser::property_names,
        &SchemaParser::dependents, &SchemaParser::lists,       &SchemaParser::negation,
        &SchemaParser::condition,  &SchemaParser::unevaluated, &SchemaParser::extensions,
    };
    for (const Parse part : kParts) {
      PEDRO_RETURN_IF_ERROR((this->*part)(place));
    }
    return {};
  }

  Status type(const SchemaPlace& place) {
    PEDRO_TRY(const auto types, place.types());
    if (place.has("type")) add(place, TypeIs{types});
    return closed() ? check_keywords(place.json, place.pointer, types) : Status();
  }

  Status values(const SchemaPlace& place) {
    if (place.has("const")) {
      PEDRO_RETURN_IF_ERROR(add_values(place, "const", {place.at("const")}));
    }
    if (!place.has("enum")) return {};
    const Json& list = place.at("enum");
    if (!list.is_array() || list.empty()) {
      return place.wrong("enum", "expected an array of at least one value");
    }
    return add_values(place, "enum", {list.begin(), list.end()});
  }

  Status add_values(const SchemaPlace& place, std::string_view key, std::vector<Json> values) {
    if (values.size() > limits_.max_enum_values) {
      return place.wrong(key, fmt::format("{} values, more than the limit of {}", values.size(),
                                          limits_.max_enum_values));
    }
    const TypeBits types = types_at_first_sight(schema_, place.id);
    for (const Json& value : values) {
      if (deeper_than(value, limits_.max_depth)) {
        return place.wrong(key, fmt::format("nested more than {} deep", limits_.max_depth));
      }
      const bool fits = (types & type_of(value)) != 0;
      if (closed() && !fits) {
        return place.wrong(key,
                           fmt::format("{} does not match the 'type' beside it", to_line(value)));
      }
    }
    add(place, ValueIs{std::move(values)});
    return {};
  }

  Status reference(const SchemaPlace& place) {
    for (const char* key : {"$ref", "$dynamicRef", "$recursiveRef"}) {
      PEDRO_TRY(const auto text, place.text(key));
      if (!text) continue;
      const auto target = targets_.find(*text, place.json);
      if (!target) {
        skip(place, key, fmt::format("'{}' is not in this document", *text));
      } else if (key != std::string_view("$ref") && targets_.is_ambiguous(*text)) {
        skip(place, key, "more than one target");
      } else {
        add(place, AllOf{{id_of(*target->schema, target->pointer)}, place.leads(key)});
      }
    }
    return {};
  }

  template <typename Range>
  Status add_range(const SchemaPlace& place, std::string_view min_key, std::string_view max_key) {
    PEDRO_TRY(const auto min, place.count(min_key));
    PEDRO_TRY(const auto max, place.count(max_key));
    if (max && *max < min.value_or(0) && closed()) {
      return place.wrong(max_key,
                         fmt::format("{} is less than {} {}", *max, min_key, min.value_or(0)));
    }
    if (min || max) add(place, Range{min.value_or(0), max});
    return {};
  }

  Status lengths(const SchemaPlace& place) {
    return add_range<LengthRange>(place, "minLength", "maxLength");
  }
  Status item_count(const SchemaPlace& place) {
    return add_range<ItemCount>(place, "minItems", "maxItems");
  }
  Status property_count(const SchemaPlace& place) {
    return add_range<PropertyCount>(place, "minProperties", "maxProperties");
  }

  // Returns the texts that a pattern allows. Error: the pattern is not supported.
  Result<TextSet> texts_of(const std::string& pattern) {
    const auto known = patterns_.find(pattern);
    if (known != patterns_.end()) return known->second;
    // Later patterns are left out: they must not use up what the rest of the schema needs.
    const bool affordable = !budget_.is_half_spent();
    Result<TextSet> set = Error{ErrorKind::kLimit, "too many large patterns before it"};
    if (affordable) set = pattern_set(pattern, &budget_);
    budget_.spend(4 * pattern.size(), 2 * pattern.size() + (set ? 16 * set->size() : 0));
    return patterns_.emplace(pattern, std::move(set)).first->second;
  }

  Status pattern(const SchemaPlace& place) {
    PEDRO_TRY(const auto text, place.text("pattern"));
    if (!text) return {};
    Result<TextSet> set = texts_of(*text);
    if (set) {
      add(place, TextIn{*std::move(set), "pattern", *text});
      return {};
    }
    if (closed()) return place.wrong("pattern", set.error().message);
    skip(place, "pattern", set.error().message);
    return {};
  }

  Status format(const SchemaPlace& place) {
    const std::string name = text_of(place.json, "format");
    if (const TextSet* set = text_format(name)) {
      add(place, TextIn{*set, "format", name});
    } else if (is_other_standard_format(name)) {
      skip(place, "format", fmt::format("'{}' is not supported", name));
    }
    return {};
  }

  // Treats a number with too many digits as unchecked in a standard schema, as an error in a closed
  // one.
  Result<std::optional<Decimal>> decimal(const SchemaPlace& place, std::string_view key) {
    auto value = place.decimal(key);
    if (value.ok() || value.error().kind != ErrorKind::kLimit) return value;
    if (closed()) return Error{ErrorKind::kConfig, value.error().message};
    skip(place, key, "more than 40 digits");
    return std::optional<Decimal>();
  }

  // In draft 4, "exclusiveMinimum": true modifies "minimum"; in later drafts it is a separate
  // bound.
  Status bound(const SchemaPlace& place, std::string_view key, std::string_view exclusive_key,
               std::optional<NumberBound>& out) {
    PEDRO_TRY(const auto plain, decimal(place, key));
    if (plain) out = NumberBound{*plain, place.at(exclusive_key) == true};
    if (!place.has(exclusive_key) || place.at(exclusive_key).is_boolean()) return {};
    PEDRO_TRY(const auto exclusive, decimal(place, exclusive_key));
    const bool lower = key == "minimum";
    if (!exclusive) return {};
    const int order = plain ? compare(*exclusive, *plain) : 0;
    if (!plain || (lower ? order >= 0 : order <= 0)) out = NumberBound{*exclusive, true};
    return {};
  }

  Status bounds(const SchemaPlace& place) {
    NumberRange range;
    Status status = bound(place, "minimum", "exclusiveMinimum", range.lower);
    if (status) status = bound(place, "maximum", "exclusiveMaximum", range.upper);
    if (!status) return status;
    if (!range.lower && !range.upper) return {};
    const bool crossed =
        range.lower && range.upper && compare(range.upper->value, range.lower->value) < 0;
    if (crossed && closed()) {
      return place.wrong("maximum",
                         fmt::format("{} is less than minimum {}", to_string(range.upper->value),
                                     to_string(range.lower->value)));
    }
    add(place, std::move(range));
    return {};
  }

  Status multiple(const SchemaPlace& place) {
    PEDRO_TRY(const auto divisor, decimal(place, "multipleOf"));
    if (!divisor) return {};
    if (compare(*divisor, Decimal()) <= 0) {
      return place.wrong("multipleOf", "expected a number greater than 0");
    }
    add(place, MultipleOf{*divisor});
    return {};
  }

  // Returns the nodes of a list of schemas.
  std::vector<SchemaId> ids(const SchemaPlace& place, std::string_view key) {
    const Json& list = place.at(key);
    std::vector<SchemaId> out;
    for (std::size_t i = 0; i < list.size(); ++i) {
      out.push_back(id_of(list[i], pointer_to(place.to(key), std::to_string(i))));
    }
    return out;
  }

  Status items(const SchemaPlace& place) {
    const bool list = place.at("items").is_array();  // drafts up to 2019-09
    const char* prefix_key = list ? "items" : "prefixItems";
    const char* rest_key = list ? "additionalItems" : "items";
    if (!place.has(prefix_key) && !place.has(rest_key)) return {};
    Items out;
    if (place.has(prefix_key)) {
      if (!place.at(prefix_key).is_array()) {
        return place.wrong(prefix_key, "expected an array of schemas");
      }
      out.prefix = ids(place, prefix_key);
    }
    out.rest_declared = place.has(rest_key);
    if (out.rest_declared) out.rest = id_at(place, rest_key);
    add(place, std::move(out));
    return {};
  }

  Status contains(const SchemaPlace& place) {
    if (place.at("uniqueItems") == true) add(place, UniqueItems{});
    if (!place.has("contains")) return {};
    PEDRO_TRY(const auto min, place.count("minContains"));
    PEDRO_TRY(const auto max, place.count("maxContains"));
    add(place, Contains{id_at(place, "contains"), min.value_or(1), max});
    return {};
  }

  Status required(const SchemaPlace& place) {
    if (!place.has("required") || place.at("required").is_boolean()) return {};  // draft 3
    PEDRO_TRY(auto names, names_in(place.at("required"), place.to("required")));
    budget_.spend(names.size(), 40 * names.size());
    for (std::size_t i = 0; closed() && i < names.size(); ++i) {
      budget_.spend(place.at("properties").size() / 8);
      if (place.at("properties").contains(names[i])) continue;
      return schema_error(pointer_to(place.to("required"), std::to_string(i)),
                          "expected the name of a declared property");
    }
    if (!names.empty()) add(place, Required{std::move(names)});
    return {};
  }

  // Calls `take` for each member of an object of schemas.
  template <typename Take>
  Status each(const SchemaPlace& place, std::string_view key, Take take) {
    if (!place.has(key)) return {};
    if (!place.at(key).is_object()) return place.wrong(key, "expected an object");
    for (const auto& [name, value] : place.at(key).items()) {
      if (name.size() > limits_.max_name_bytes) {
        return place.wrong(key, fmt::format("a name of {} bytes, more than the limit of {}",
                                            name.size(), limits_.max_name_bytes));
      }
      PEDRO_RETURN_IF_ERROR(take(name, value, pointer_to(place.to(key), name)));
    }
    return {};
  }

  Status properties(const SchemaPlace& place) {
    const bool object = (types_at_first_sight(schema_, place.id) & kObjectType) != 0;
    const bool typed = place.has("type") && object;
    const bool named = place.has("properties") || place.has("patternProperties");
    const bool said = place.has("additionalProperties");
    if (!named && !said && !(closed() && typed)) return {};
    Properties out;
    Status status = each(place, "properties",
                         [&](const std::string& name, const Json& value, std::string pointer) {
                           budget_.spend(1, sizeof(out.declared.front()) + name.size());
                           out.declared.emplace_back(name, id_of(value, std::move(pointer)));
                           return Status();
                         });
    if (!status) return status;
    status =
        each(place, "patternProperties",
             [&](const std::string& text, const Json& value, std::string pointer) {
               Result<TextSet> set = texts_of(text);
               if (set) {
                 out.patterns.push_back({*std::move(set), text, id_of(value, std::move(pointer))});
               } else {
                 skip(place, "patternProperties", set.error().message);
               }
               return Status();
             });
    if (!status) return status;
    out.others_declared = said || closed();
    if (said) {
      out.others = id_at(place, "additionalProperties");
    } else if (closed()) {
      out.others = Schema::kNothing;
    }
    // Names that match an unsupported pattern count as others, which must then allow any value.
    const bool all_patterns = out.patterns.size() == place.at("patternProperties").size();
    if (!all_patterns) {
      out.others = Schema::kAnything;
      out.others_declared = true;
    }
    add(place, std::move(out));
    return {};
  }

  Status property_names(const SchemaPlace& place) {
    if (place.has("propertyNames")) add(place, PropertyNames{id_at(place, "propertyNames")});
    return {};
  }

  Status dependents(const SchemaPlace& place) {
    for (const char* key : {"dependentRequired", "dependentSchemas", "dependencies"}) {
      const Status status =
          each(place, key, [&](const std::string& name, const Json& value, std::string pointer) {
            if (!value.is_array()) {
              add(place, Dependent{name, id_of(value, std::move(pointer))});
              return Status();
            }
            auto names = names_in(value, pointer);
            if (!names) return Status(names.error());
            budget_.spend(8 + names->size(), 256 + 40 * names->size() + pointer.size());
            const auto made = static_cast<SchemaId>(schema_.nodes.size());
            schema_.nodes.push_back(SchemaNode{{Required{*std::move(names)}}, std::move(pointer)});
            add(place, Dependent{name, made});
            return Status();
          });
      if (!status) return status;
    }
    return {};
  }

  Status lists(const SchemaPlace& place) {
    for (const char* key : {"allOf", "anyOf", "oneOf"}) {
      if (!place.has(key)) continue;
      if (!place.at(key).is_array() || place.at(key).empty()) {
        return place.wrong(key, "expected an array of at least one schema");
      }
      std::vector<SchemaId> parts = ids(place, key);
      if (key == std::string_view("allOf")) {
        add(place, AllOf{std::move(parts), place.leads(key)});
      } else if (key == std::string_view("anyOf")) {
        add(place, AnyOf{std::move(parts)});
      } else {
        add(place, OneOf{std::move(parts)});
      }
    }
    return {};
  }

  Status negation(const SchemaPlace& place) {
    if (place.has("not")) add(place, Not{id_at(place, "not")});
    return {};
  }

  Status condition(const SchemaPlace& place) {
    if (!place.has("if")) return {};
    // An "if" alone covers properties and items for an "unevaluated…" around it.
    if (!place.has("then") && !place.has("else") && !targets_.has_unevaluated()) return {};
    add(place,
        IfThenElse{id_at(place, "if"), place.has("then") ? id_at(place, "then") : Schema::kAnything,
                   place.has("else") ? id_at(place, "else") : Schema::kAnything});
    return {};
  }

  Status unevaluated(const SchemaPlace& place) {
    if (place.has("unevaluatedProperties")) {
      add(place, Unevaluated{id_at(place, "unevaluatedProperties")});
    }
    if (place.has("unevaluatedItems")) {
      add(place, UnevaluatedItems{id_at(place, "unevaluatedItems")});
    }
    return {};
  }

  Status extensions(const SchemaPlace& place) {
    PEDRO_TRY(std::optional<RawRules> rules, raw_rules_in(place));
    if (rules) add(place, *std::move(rules));
    PEDRO_TRY(const std::optional<Names> names, named_kind_in(place));
    if (names) add(place, *names);
    return {};
  }

  const Json& document_;
  SchemaBudget budget_;
  SchemaDialect dialect_;
  const SchemaLimits& limits_;
  SchemaTargets targets_;
  bool ref_stands_alone_ = false;
  Schema schema_;
  std::unordered_map<const Json*, SchemaId> ids_;
  std::vector<Todo> todo_;
  std::map<std::string, Result<TextSet>> patterns_;
};

}  // namespace

Result<Schema> parse_schema(const Json& document, SchemaDialect dialect,
                            const SchemaLimits& limits) {
  return SchemaParser(document, dialect, limits).parse();
}

}  // namespace pedro
