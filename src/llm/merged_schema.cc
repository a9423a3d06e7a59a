#include "llm/merged_schema.h"

#include <algorithm>

#include "base/json.h"
#include "json_schema/schema_keywords.h"

namespace pedro {
namespace {

Json common_keywords(const Json& a, const Json& b) {
  Json both = Json::object();
  for (const auto& [key, value] : a.items()) {
    if (member(b, key) == value) both[key] = value;
  }
  return both;
}

bool is_required_in(const Json& option, const std::string& name) {
  const Json& names = member(option, "required");
  return std::find(names.begin(), names.end(), name) != names.end();
}

void add_items(Json& parameters) {
  for_each_schema(parameters, [](Json& schema) {
    const bool has_items = schema.contains("items") || schema.contains("prefixItems");
    if (text_of(schema, "type") == "array" && !has_items) schema["items"] = Json::object();
  });
}

}  // namespace

std::string with_array_items(const std::string& parameters) {
  if (parameters.find("\"array\"") == std::string::npos) return parameters;
  Result<Json> schema = parse_json(parameters);
  if (!schema) return parameters;
  add_items(*schema);
  return to_line(*schema);
}

std::string merged_options(const std::string& parameters) {
  const Result<Json> schema = parse_json(parameters);
  if (!schema || !member(*schema, "anyOf").is_array()) return parameters;
  const Json& options = member(*schema, "anyOf");
  Json properties = Json::object();
  for (const Json& option : options) {
    for (const auto& [name, property] : member(option, "properties").items()) {
      const bool known = properties.contains(name);
      properties[name] = known ? common_keywords(properties[name], property) : property;
    }
  }
  Json required = Json::array();
  for (const auto& [name, property] : properties.items()) {
    const bool everywhere = std::all_of(options.begin(), options.end(), [&](const Json& option) {
      return is_required_in(option, name);
    });
    if (everywhere) required.push_back(name);
  }
  Json merged = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) merged["required"] = std::move(required);
  add_items(merged);
  return to_line(merged);
}

}  // namespace pedro
