#include "tools/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace pedro {
namespace {

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
