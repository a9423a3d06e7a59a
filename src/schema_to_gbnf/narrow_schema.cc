#include "schema_to_gbnf/narrow_schema.h"

#include <algorithm>

#include "base/hash.h"
#include "json_schema/schema_keywords.h"

namespace pedro {
namespace {

constexpr const char* kKeyword = "x-names";

const Names* names_of(const SchemaNode& node) {
  for (const Assertion& assertion : node.assertions) {
    if (const auto* names = std::get_if<Names>(&assertion)) return names;
  }
  return nullptr;
}

NumberRange up_to(long long last) {
  return {NumberBound{*parse_decimal("1")}, NumberBound{*parse_decimal(std::to_string(last))}};
}

// Leaves the texts of an "enum" that are among `values`. Adds one to a schema of strings.
void narrow_texts(Json& schema, const Json& values) {
  const auto given = schema.find("enum");
  if (given == schema.end()) {
    if (text_of(schema, "type") == "string") schema["enum"] = values;
    return;
  }
  Json left = Json::array();
  for (const Json& value : *given) {
    const bool fits =
        !value.is_string() || std::find(values.begin(), values.end(), value) != values.end();
    if (fits) left.push_back(value);
  }
  *given = std::move(left);
}

// Sets a bound unless there is a stricter one. In draft 4, `exclusive` is a part of the old bound.
void narrow_bound(Json& schema, const char* key, const char* exclusive, long long value) {
  const bool is_upper = key == std::string_view("maximum");
  const Json& given = member(schema, key);
  const Json bound = value;
  if (given.is_number() && (is_upper ? given <= bound : given >= bound)) return;
  schema[key] = bound;
  if (member(schema, exclusive).is_boolean()) schema.erase(exclusive);
}

}  // namespace

Schema narrowed(const Schema& schema, const Narrowing& narrowing) {
  Schema out = schema;
  const auto add = [&out](SchemaNode& node, Assertion assertion, std::uint64_t hash) {
    node.assertions.push_back(std::move(assertion));
    out.fingerprint = hash_bytes(node.pointer + ' ' + std::to_string(hash), out.fingerprint);
  };
  for (SchemaNode& node : out.nodes) {
    const Names* names = names_of(node);
    if (names == nullptr) continue;
    const auto texts = narrowing.texts.find(names->what);
    if (texts != narrowing.texts.end()) {
      const auto& [graph, noun, values] = texts->second;
      add(node, TextOfGraph{graph, noun}, graph->fingerprint);
    } else if (names->what == Named::kLine && narrowing.lines > 0) {
      add(node, up_to(narrowing.lines), static_cast<std::uint64_t>(narrowing.lines));
    }
  }
  return out;
}

Json narrowed(const Json& document, const Narrowing& narrowing) {
  Json out = document;
  for_each_schema(out, [&narrowing](Json& schema) {
    const std::optional<Named> what = parse_named(text_of(schema, kKeyword));
    schema.erase(kKeyword);
    if (!what) return;
    const auto texts = narrowing.texts.find(*what);
    if (texts != narrowing.texts.end()) {
      if (!texts->second.values.is_null()) narrow_texts(schema, texts->second.values);
    } else if (what == Named::kLine && narrowing.lines > 0) {
      narrow_bound(schema, "minimum", "exclusiveMinimum", 1);
      narrow_bound(schema, "maximum", "exclusiveMaximum", narrowing.lines);
    }
  });
  return out;
}

}  // namespace pedro
