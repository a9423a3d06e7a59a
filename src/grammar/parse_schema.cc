#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "grammar/check_gbnf.h"
#include "grammar/pattern_set.h"
#include "grammar/schema.h"
#include "grammar/schema_keywords.h"
#include "grammar/schema_targets.h"
#include "grammar/text_format.h"

namespace pedro {
namespace {

constexpr long long kMaxCount = 1'000'000'000;

bool deeper_than(const Json& value, int limit) {
  if (!value.is_structured()) return false;
  if (limit == 0) return true;
  return std::any_of(value.begin(), value.end(),
                     [limit](const Json& part) { return deeper_than(part, limit - 1); });
}

/// One schema of the document, while its keywords become assertions.
struct Place {
  const Json& json;
  SchemaId id = 0;
  const std::string pointer;

  bool has(std::string_view key) const { return json.contains(key); }
  const Json& at(std::string_view key) const { return member(json, key); }
  std::string to(std::string_view key) const { return pointer_to(pointer, key); }
  Error wrong(std::string_view key, std::string_view text) const {
    return schema_error(to(key), text);
  }
};

/// Works through a list of schemas, not down into them, so nothing recurses on the document. A
/// schema that several references lead to is one node.
class SchemaParser {
 public:
  SchemaParser(const Json& document, SchemaDialect dialect, const SchemaLimits& limits)
      : document_(document),
        dialect_(dialect),
        limits_(limits),
        targets_(document),
        ref_stands_alone_(hides_siblings(text_of(document, "$schema"))) {
    schema_.nodes.resize(2);  // anything and nothing
  }

  Result<Schema> parse() {
    schema_.fingerprint = hash_bytes(to_line(document_));
    schema_.root = id_of(document_, "");
    for (std::size_t i = 0; i < todo_.size(); ++i) {
      const Todo todo = todo_[i];
      const Place place{*todo.json, todo.id, schema_.nodes[todo.id].pointer};
      const Status status = parse_node(place);
      if (!status) return status.error();
      if (schema_.nodes.size() > limits_.max_nodes) {
        return schema_error("", fmt::format("more than {} schemas in one", limits_.max_nodes));
      }
    }
    const Status status = check_circles();
    if (!status) return status.error();
    return std::move(schema_);
  }

 private:
  struct Todo {
    const Json* json = nullptr;
    SchemaId id = 0;
  };

  // Up to draft 7, what stands beside "$ref" means nothing.
  static bool hides_siblings(std::string_view draft) {
    return draft.find("/draft-0") != std::string_view::npos;
  }

  bool closed() const { return dialect_ == SchemaDialect::kClosed; }

  // A schema that is to be read; true and false are there already.
  SchemaId id_of(const Json& json, std::string pointer) {
    if (json == true || (json.is_object() && json.empty())) return Schema::kAnything;
    if (json == false) return Schema::kNothing;
    const auto [known, fresh] =
        ids_.try_emplace(&json, static_cast<SchemaId>(schema_.nodes.size()));
    if (fresh) {
      todo_.push_back(Todo{&json, known->second});
      schema_.nodes.push_back(SchemaNode{{}, std::move(pointer)});
    }
    return known->second;
  }

  SchemaId id_at(const Place& place, std::string_view key) {
    return id_of(place.at(key), place.to(key));
  }

  void add(const Place& place, Assertion assertion) {
    schema_.nodes[place.id].assertions.push_back(std::move(assertion));
  }

  void skip(const Place& place, std::string_view keyword, std::string why) {
    schema_.unchecked.push_back(Unchecked{place.pointer, std::string(keyword), std::move(why)});
  }

  Status parse_node(const Place& place) {
    if (!place.json.is_object()) {
      return schema_error(place.pointer, "expected a schema (an object, true or false)");
    }
    if (ref_stands_alone_ && place.has("$ref")) return reference(place);
    using Parse = Status (SchemaParser::*)(const Place&);
    static constexpr Parse kParts[] = {
        &SchemaParser::type,       &SchemaParser::values,      &SchemaParser::reference,
        &SchemaParser::lengths,    &SchemaParser::pattern,     &SchemaParser::format,
        &SchemaParser::bounds,     &SchemaParser::multiple,    &SchemaParser::item_count,
        &SchemaParser::items,      &SchemaParser::contains,    &SchemaParser::property_count,
        &SchemaParser::required,   &SchemaParser::properties,  &SchemaParser::property_names,
        &SchemaParser::dependents, &SchemaParser::lists,       &SchemaParser::negation,
        &SchemaParser::condition,  &SchemaParser::unevaluated, &SchemaParser::raw_rules,
    };
    for (const Parse part : kParts) {
      const Status status = (this->*part)(place);
      if (!status) return status;
    }
    return {};
  }

  Status type(const Place& place) {
    TypeBits types = kAllTypes;
    if (place.has("type")) {
      const Json& type = place.at("type");
      types = 0;
      for (const Json& name : type.is_array() ? type : Json::array({type})) {
        const TypeBits bits = name.is_string() ? type_named(name.get<std::string>()) : 0;
        if (bits == 0) return unknown_type(name, place.to("type"));
        types |= bits;
      }
      if (types == 0) return place.wrong("type", "expected at least one type");
      add(place, TypeIs{types});
    }
    return closed() ? check_keywords(place.json, place.pointer, types) : Status();
  }

  Status values(const Place& place) {
    if (place.has("const")) {
      const Status status = add_values(place, "const", {place.at("const")});
      if (!status) return status;
    }
    if (!place.has("enum")) return {};
    const Json& list = place.at("enum");
    if (!list.is_array() || list.empty()) {
      return place.wrong("enum", "expected an array of at least one value");
    }
    return add_values(place, "enum", {list.begin(), list.end()});
  }

  Status add_values(const Place& place, std::string_view key, std::vector<Json> values) {
    if (values.size() > limits_.max_enum_values) {
      return place.wrong(key, fmt::format("{} values, more than the limit of {}", values.size(),
                                          limits_.max_enum_values));
    }
    for (const Json& value : values) {
      if (deeper_than(value, limits_.max_depth)) {
        return place.wrong(key, fmt::format("nested more than {} deep", limits_.max_depth));
      }
      const bool fits = (types_at_first_sight(schema_, place.id) & type_of(value)) != 0;
      if (closed() && !fits) {
        return place.wrong(key, fmt::format("{} is not of the 'type' beside it", to_line(value)));
      }
    }
    add(place, ValueIs{std::move(values)});
    return {};
  }

  Status reference(const Place& place) {
    for (const char* key : {"$ref", "$dynamicRef", "$recursiveRef"}) {
      if (!place.has(key)) continue;
      if (!place.at(key).is_string()) return place.wrong(key, "expected a string");
      const std::string text = text_of(place.json, key);
      const auto target = targets_.find(text, place.pointer);
      if (!target) {
        skip(place, key, fmt::format("'{}' is not in this document", text));
      } else if (key != std::string_view("$ref") && text != "#") {
        skip(place, key, "not supported");
      } else {
        add(place, AllOf{{id_of(*target->schema, target->pointer)}});
      }
    }
    return {};
  }

  // A count, or nothing where the key is not there.
  Result<std::optional<std::size_t>> count(const Place& place, std::string_view key) const {
    if (!place.has(key)) return std::optional<std::size_t>();
    const Json& value = place.at(key);
    const bool fits =
        value.is_number() && is_whole(value) && value >= Json(0) && value <= Json(kMaxCount);
    if (!fits) return place.wrong(key, fmt::format("expected an integer from 0 to {}", kMaxCount));
    return std::optional(value.get<std::size_t>());
  }

  template <typename Range>
  Status add_range(const Place& place, std::string_view min_key, std::string_view max_key) {
    const auto min = count(place, min_key);
    if (!min) return min.error();
    const auto max = count(place, max_key);
    if (!max) return max.error();
    if (*max && **max < min->value_or(0) && closed()) {
      return place.wrong(max_key,
                         fmt::format("{} is less than {} {}", **max, min_key, min->value_or(0)));
    }
    if (*min || *max) add(place, Range{min->value_or(0), *max});
    return {};
  }

  Status lengths(const Place& place) {
    return add_range<LengthRange>(place, "minLength", "maxLength");
  }
  Status item_count(const Place& place) {
    return add_range<ItemCount>(place, "minItems", "maxItems");
  }
  Status property_count(const Place& place) {
    return add_range<PropertyCount>(place, "minProperties", "maxProperties");
  }

  // The texts a pattern allows; an Error where it is not supported.
  Result<TextSet> texts_of(const std::string& pattern) {
    const auto known = patterns_.find(pattern);
    if (known != patterns_.end()) return known->second;
    return patterns_.emplace(pattern, pattern_set(pattern)).first->second;
  }

  Status pattern(const Place& place) {
    if (!place.has("pattern")) return {};
    if (!place.at("pattern").is_string()) return place.wrong("pattern", "expected a string");
    std::string text = text_of(place.json, "pattern");
    Result<TextSet> set = texts_of(text);
    if (set) {
      add(place, TextIn{*std::move(set), "pattern", std::move(text)});
      return {};
    }
    if (closed()) return place.wrong("pattern", set.error().message);
    skip(place, "pattern", set.error().message);
    return {};
  }

  Status format(const Place& place) {
    const std::string name = text_of(place.json, "format");
    if (const TextSet* set = text_format(name)) {
      add(place, TextIn{*set, "format", name});
    } else if (is_other_standard_format(name)) {
      skip(place, "format", fmt::format("'{}' is not supported", name));
    }
    return {};
  }

  Result<std::optional<Decimal>> decimal(const Place& place, std::string_view key) {
    if (!place.has(key)) return std::optional<Decimal>();
    const Json& value = place.at(key);
    if (!value.is_number()) return place.wrong(key, "expected a number");
    const auto decimal = parse_decimal(to_line(value));
    if (decimal) return decimal;
    if (closed()) return place.wrong(key, "expected a number of at most 40 digits");
    skip(place, key, "more than 40 digits");
    return std::optional<Decimal>();
  }

  // In draft 4, "exclusiveMinimum": true is about "minimum"; later it is a bound of its own.
  Status bound(const Place& place, std::string_view key, std::string_view exclusive_key,
               std::optional<NumberBound>& out) {
    const auto plain = decimal(place, key);
    if (!plain) return plain.error();
    if (*plain) out = NumberBound{**plain, place.at(exclusive_key) == true};
    if (!place.has(exclusive_key) || place.at(exclusive_key).is_boolean()) return {};
    const auto exclusive = decimal(place, exclusive_key);
    if (!exclusive) return exclusive.error();
    const bool lower = key == "minimum";
    if (!*exclusive) return {};
    const int order = *plain ? compare(**exclusive, **plain) : 0;
    if (!*plain || (lower ? order >= 0 : order <= 0)) out = NumberBound{**exclusive, true};
    return {};
  }

  Status bounds(const Place& place) {
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

  Status multiple(const Place& place) {
    const auto divisor = decimal(place, "multipleOf");
    if (!divisor) return divisor.error();
    if (!*divisor) return {};
    if (compare(**divisor, Decimal()) <= 0) {
      return place.wrong("multipleOf", "expected a number greater than 0");
    }
    add(place, MultipleOf{**divisor});
    return {};
  }

  // A list of schemas.
  std::vector<SchemaId> ids(const Place& place, std::string_view key) {
    const Json& list = place.at(key);
    std::vector<SchemaId> out;
    for (std::size_t i = 0; i < list.size(); ++i) {
      out.push_back(id_of(list[i], pointer_to(place.to(key), std::to_string(i))));
    }
    return out;
  }

  Status items(const Place& place) {
    if (place.has("unevaluatedItems") && place.at("unevaluatedItems") != true) {
      skip(place, "unevaluatedItems", "not supported");
    }
    const bool list = place.at("items").is_array();  // up to 2019-09
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
    if (place.has(rest_key)) out.rest = id_at(place, rest_key);
    add(place, std::move(out));
    return {};
  }

  Status contains(const Place& place) {
    if (place.at("uniqueItems") == true) add(place, UniqueItems{});
    if (!place.has("contains")) return {};
    const auto min = count(place, "minContains");
    if (!min) return min.error();
    const auto max = count(place, "maxContains");
    if (!max) return max.error();
    add(place, Contains{id_at(place, "contains"), min->value_or(1), *max});
    return {};
  }

  Status names_of(const Json& list, const std::string& pointer, std::vector<std::string>& names) {
    const bool strings =
        list.is_array() &&
        std::all_of(list.begin(), list.end(), [](const Json& name) { return name.is_string(); });
    if (!strings) return schema_error(pointer, "expected an array of property names");
    for (const Json& name : list) names.push_back(name.get<std::string>());
    return {};
  }

  Status required(const Place& place) {
    if (!place.has("required") || place.at("required").is_boolean()) return {};  // draft 3
    Required out;
    const Status status = names_of(place.at("required"), place.to("required"), out.names);
    if (!status) return status;
    for (std::size_t i = 0; closed() && i < out.names.size(); ++i) {
      if (place.at("properties").contains(out.names[i])) continue;
      return schema_error(pointer_to(place.to("required"), std::to_string(i)),
                          "expected the name of a declared property");
    }
    if (!out.names.empty()) add(place, std::move(out));
    return {};
  }

  // The members of an object of schemas.
  template <typename Take>
  Status each(const Place& place, std::string_view key, Take take) {
    if (!place.has(key)) return {};
    if (!place.at(key).is_object()) return place.wrong(key, "expected an object");
    for (const auto& [name, value] : place.at(key).items()) {
      if (name.size() > limits_.max_name_bytes) {
        return place.wrong(key, fmt::format("a name of {} bytes, more than the limit of {}",
                                            name.size(), limits_.max_name_bytes));
      }
      const Status status = take(name, value, pointer_to(place.to(key), name));
      if (!status) return status;
    }
    return {};
  }

  Status properties(const Place& place) {
    const bool object = (types_at_first_sight(schema_, place.id) & kObjectType) != 0;
    const bool typed = place.has("type") && object;
    const bool named = place.has("properties") || place.has("patternProperties");
    const bool said = place.has("additionalProperties");
    if (!named && !said && !(closed() && typed)) return {};
    Properties out;
    Status status = each(place, "properties",
                         [&](const std::string& name, const Json& value, std::string pointer) {
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
    // Names of a pattern that is not understood are among the others: these may be anything then.
    const bool all_patterns = out.patterns.size() == place.at("patternProperties").size();
    if (!all_patterns) out.others = Schema::kAnything;
    add(place, std::move(out));
    return {};
  }

  Status property_names(const Place& place) {
    if (place.has("propertyNames")) add(place, PropertyNames{id_at(place, "propertyNames")});
    return {};
  }

  Status dependents(const Place& place) {
    for (const char* key : {"dependentRequired", "dependentSchemas", "dependencies"}) {
      const Status status =
          each(place, key, [&](const std::string& name, const Json& value, std::string pointer) {
            if (!value.is_array()) {
              add(place, Dependent{name, id_of(value, std::move(pointer))});
              return Status();
            }
            Required names;
            Status listed = names_of(value, pointer, names.names);
            if (!listed) return listed;
            const auto made = static_cast<SchemaId>(schema_.nodes.size());
            schema_.nodes.push_back(SchemaNode{{std::move(names)}, std::move(pointer)});
            add(place, Dependent{name, made});
            return Status();
          });
      if (!status) return status;
    }
    return {};
  }

  Status lists(const Place& place) {
    for (const char* key : {"allOf", "anyOf", "oneOf"}) {
      if (!place.has(key)) continue;
      if (!place.at(key).is_array() || place.at(key).empty()) {
        return place.wrong(key, "expected an array of at least one schema");
      }
      std::vector<SchemaId> parts = ids(place, key);
      if (key == std::string_view("allOf")) {
        add(place, AllOf{std::move(parts)});
      } else if (key == std::string_view("anyOf")) {
        add(place, AnyOf{std::move(parts)});
      } else {
        add(place, OneOf{std::move(parts)});
      }
    }
    return {};
  }

  Status negation(const Place& place) {
    if (place.has("not")) add(place, Not{id_at(place, "not")});
    return {};
  }

  Status condition(const Place& place) {
    if (!place.has("if") || (!place.has("then") && !place.has("else"))) return {};
    add(place,
        IfThenElse{id_at(place, "if"), place.has("then") ? id_at(place, "then") : Schema::kAnything,
                   place.has("else") ? id_at(place, "else") : Schema::kAnything});
    return {};
  }

  Status unevaluated(const Place& place) {
    if (place.has("unevaluatedProperties")) {
      add(place, Unevaluated{id_at(place, "unevaluatedProperties")});
    }
    return {};
  }

  Status raw_rules(const Place& place) {
    if (!place.has("x-gbnf")) return {};
    const std::string text = text_of(place.json, "x-gbnf");
    if (text.empty()) return place.wrong("x-gbnf", "expected GBNF, as a string");
    const bool whole = text.find("::=") != std::string::npos;
    auto parsed = parse_gbnf(whole ? text : "root ::=\n" + text, "x-gbnf");
    if (!parsed) return place.wrong("x-gbnf", parsed.error().message);
    const GbnfReport report = check_gbnf(*parsed);
    if (report.has_errors()) return place.wrong("x-gbnf", to_text(report, *parsed));
    add(place, RawRules{std::move(parsed->grammar), text});
    return {};
  }

  // Parts that have each other as parts say nothing, and never come to an end. Kahn's algorithm:
  // takes away those that are part of nothing; what remains goes round in circles.
  Status check_circles() const {
    std::vector<std::size_t> holders(schema_.nodes.size());
    std::vector<SchemaId> free;
    for (SchemaId id = 0; id < schema_.nodes.size(); ++id) {
      for_each_part(id, [&](SchemaId part) { ++holders[part]; });
    }
    for (SchemaId id = 0; id < schema_.nodes.size(); ++id) {
      if (holders[id] == 0) free.push_back(id);
    }
    for (std::size_t done = 0; done < free.size(); ++done) {
      for_each_part(free[done], [&](SchemaId part) {
        if (--holders[part] == 0) free.push_back(part);
      });
    }
    const auto left = std::find_if(holders.begin(), holders.end(), [](auto n) { return n > 0; });
    if (left == holders.end()) return {};
    return schema_error(schema_.nodes[left - holders.begin()].pointer,
                        "refers to itself without end");
  }

  template <typename Take>
  void for_each_part(SchemaId id, Take take) const {
    for (const Assertion& one : schema_.nodes[id].assertions) {
      const auto* all = std::get_if<AllOf>(&one);
      if (all == nullptr) continue;
      for (const SchemaId part : all->parts) take(part);
    }
  }

  const Json& document_;
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
