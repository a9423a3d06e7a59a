#include "llm/merged_schema.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/json.h"

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

bool is_array_without_items(const Json& schema) {
  return schema.is_object() && text_of(schema, "type") == "array" && !schema.contains("items") &&
         !schema.contains("prefixItems");
}

bool is_value(const std::string& keyword) {
  constexpr std::string_view kValues[] = {"const", "default", "enum", "examples"};
  return std::find(std::begin(kValues), std::end(kValues), keyword) != std::end(kValues);
}

// Returns true if a schema changed.
bool add_items(Json& all) {
  bool changed = false;
  std::vector<Json*> todo{&all};
  while (!todo.empty()) {
    Json& at = *todo.back();
    todo.pop_back();
    if (is_array_without_items(at)) {
      at["items"] = Json::object();
      changed = true;
    }
    if (at.is_array()) {
      for (Json& part : at) todo.push_back(&part);
    } else if (at.is_object()) {
      for (auto& [key, part] : at.items()) {
        if (!is_value(key)) todo.push_back(&part);
      }
    }
  }
  return changed;
}

}  // namespace

std::string with_array_items(const std::string& parameters) {
  if (parameters.find("\"array\"") == std::string::npos) return parameters;
  Result<Json> schema = parse_json(parameters);
  return schema && add_items(*schema) ? to_line(*schema) : parameters;
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
