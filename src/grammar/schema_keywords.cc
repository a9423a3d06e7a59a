#include "grammar/schema_keywords.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "grammar/schema.h"

namespace pedro {
namespace {

constexpr std::string_view kAnnotations = "title description default examples $schema $comment";

// What stands in the drafts from 4 to 2020-12, understood here or not.
constexpr std::string_view kStandard =
    "$ref $defs definitions $id id $anchor $dynamicRef $dynamicAnchor $vocabulary type enum const "
    "allOf anyOf oneOf not if then else dependentRequired dependentSchemas dependencies "
    "pattern format minLength maxLength contentEncoding contentMediaType contentSchema "
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf "
    "items prefixItems additionalItems contains minContains maxContains uniqueItems minItems "
    "maxItems unevaluatedItems properties required additionalProperties patternProperties "
    "propertyNames minProperties maxProperties unevaluatedProperties "
    "deprecated readOnly writeOnly";

template <typename Words, typename Word>
bool holds(const Words& words, const Word& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

const std::vector<SchemaType>& schema_types() {
  static const std::vector<SchemaType> types = {
      {"object", "an object", {"properties", "required", "additionalProperties"}},
      {"array", "an array", {"items", "minItems", "maxItems"}},
      {"string", "a string", {"minLength", "maxLength"}},
      {"integer", "an integer", {"minimum", "maximum"}},
      {"number", "a number", {"minimum", "maximum"}},
      {"boolean", "a boolean", {}},
      {"null", "null", {}},
  };
  return types;
}

bool has_type(const Json& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  if (!value.is_number_float()) return value.is_number_integer();
  const double real = value.get<double>();
  return std::floor(real) == real;
}

Error schema_error(std::string_view pointer, std::string_view text) {
  return Error{ErrorKind::kConfig, fmt::format("{}: {}", pointer.empty() ? "/" : pointer, text)};
}

Status check_keywords(const Json& schema, std::string_view pointer, std::string_view taker,
                      const std::vector<std::string>& keywords) {
  for (const auto& [key, value] : schema.items()) {
    if (holds(keywords, key) || holds(split(kAnnotations, ' '), key)) continue;
    const bool standard = holds(split(kStandard, ' '), key);
    return schema_error(
        pointer_to(pointer, key),
        fmt::format("{} keyword{}; {} takes {}", standard ? "unsupported" : "unknown",
                    standard ? "" : did_you_mean(key, keywords), taker, join(keywords, ", ")));
  }
  return {};
}

}  // namespace pedro
