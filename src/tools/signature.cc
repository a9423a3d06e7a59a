#include "tools/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::string_view kAction = "action";

bool is_required(const Json& schema, std::string_view name) {
  const Json& required = member(schema, "required");
  return std::find(required.begin(), required.end(), name) != required.end();
}

// "grep(pattern, directory?): Regex over file contents."
std::string line_of(const ActionManifest& action) {
  std::vector<std::string> parameters;
  for (const auto& [name, property] : member(action.schema_json, "properties").items()) {
    if (name == kAction) continue;
    parameters.push_back(is_required(action.schema_json, name) ? name : name + "?");
  }
  return fmt::format("\n{}({}): {}", action.name, join(parameters, ", "), action.about);
}

// Removes limits of lengths, which occur at most one array deep, and the keyword for names.
Json without_lengths(Json property) {
  for (const char* key : {"minLength", "maxLength", "x-names"}) {
    property.erase(key);
    if (property.contains("items")) property["items"].erase(key);
  }
  return property;
}

// Returns the parts of a parameter's schema that two actions have in common.
Json common(const Json& a, const Json& b) {
  Json both = Json::object();
  for (const auto& [key, value] : a.items()) {
    if (b.contains(key) && b[key] == value) both[key] = value;
  }
  return both;
}

std::string type_word(const Json& schema) {
  if (const Json& values = member(schema, "enum"); values.is_array()) {
    std::vector<std::string> words;
    for (const Json& value : values) words.push_back(to_line(value));
    return join(words, "|");
  }
  for (const char* key : {"anyOf", "oneOf"}) {
    std::vector<std::string> words;
    for (const Json& option : member(schema, key)) words.push_back(type_word(option));
    if (!words.empty()) return join(words, "|");
  }
  const std::string type = text_of(schema, "type", "any");
  if (type == "string") return "str";
  if (type == "integer") return "int";
  if (type == "boolean") return "bool";
  if (type == "array") return fmt::format("[{}]", type_word(member(schema, "items")));
  return type == "object" && schema.contains("properties") ? schema_signature(schema) : type;
}

}  // namespace

DeclaredTool declare(const Manifest& manifest) {
  if (!manifest.server_tool.empty()) {
    return {manifest.name, manifest.description, to_line(manifest.actions.front().schema_json)};
  }
  std::string description = manifest.description;
  Json properties = Json::object();
  Json actions = Json::array();
  properties[kAction] = Json::object();
  Json required = Json::array({kAction});
  for (const ActionManifest& action : manifest.actions) {
    description += line_of(action);
    actions.push_back(action.name);
    for (const auto& [name, property] : member(action.schema_json, "properties").items()) {
      if (name == kAction) continue;
      Json shown = without_lengths(property);
      properties[name] = properties.contains(name) ? common(properties[name], shown) : shown;
    }
  }
  properties[kAction] = {{"type", "string"}, {"enum", std::move(actions)}};
  const Json parameters = {
      {"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
  return {manifest.name, std::move(description), to_line(parameters)};
}

std::string schema_signature(const Json& schema) {
  const Json& properties = member(schema, "properties");
  const Json& required = member(schema, "required");
  std::vector<std::string> parameters;
  for (const auto& [name, property] : properties.items()) {
    if (property.contains("const")) continue;
    const bool optional = std::find(required.begin(), required.end(), name) == required.end();
    const std::string about = text_of(property, "description");
    parameters.push_back(fmt::format("\"{}\"{}: {}{}", name, optional ? "?" : "",
                                     type_word(property),
                                     about.empty() ? "" : fmt::format(" ({})", about)));
  }
  return fmt::format("{{{}}}", join(parameters, ", "));
}

}  // namespace pedro
