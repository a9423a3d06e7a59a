#include "chat_format/tool_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/json_cursor.h"
#include "base/text.h"
#include "chat_format/python_json.h"

namespace pedro {
namespace {

constexpr JsonCursorLimits kToolLimits{.max_depth = 500, .max_text_bytes = 16U << 20U};
constexpr int kMaxTypeDepth = 16;
// The line break inside an object's type in the template of gpt-oss.
constexpr std::string_view kBreak = "\n                ";

using Members = std::vector<std::pair<std::string, std::string>>;

// Spreads JSON in Python's spelling over several lines.
std::string indented(std::string_view json) {
  std::string out;
  std::size_t depth = 0;
  bool in_string = false;
  const auto new_line = [&] { out += "\n" + std::string(4 * depth, ' '); };
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      out += c;
      if (c == '\\' && i + 1 < json.size()) out += json[++i];
      if (c == '"') in_string = false;
      continue;
    }
    const bool opens = c == '{' || c == '[';
    if (c == '}' || c == ']') {
      --depth;
      new_line();
    }
    out += c;
    if (opens && i + 1 < json.size() && (json[i + 1] == '}' || json[i + 1] == ']')) {
      out += json[++i];
    } else if (opens) {
      ++depth;
      new_line();
    } else if (c == ',') {
      new_line();
      ++i;  // the blank after it
    }
    in_string = c == '"';
  }
  return out;
}

std::string_view value_of(const Members& members, std::string_view name) {
  const auto at = std::find_if(members.begin(), members.end(),
                               [&](const auto& member) { return member.first == name; });
  return at == members.end() ? std::string_view() : std::string_view(at->second);
}

std::string tag(std::string_view name, std::string_view text) {
  return fmt::format("\n<{0}>{1}</{0}>", name, text);
}

// Returns a tag for each member except those in `known`.
std::string other_tags(const Members& members, std::initializer_list<std::string_view> known) {
  std::string out;
  for (const auto& [name, value] : members) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      out += tag(name, python_text(value));
    }
  }
  return out;
}

// Returns an array of texts like Python's str(); other values like python_text().
std::string python_list(std::string_view json) {
  if (!json.starts_with('[')) return python_text(json);
  std::vector<std::string> texts;
  JsonCursor cursor(json, kToolLimits);
  cursor.enter_array();
  while (cursor.next_element()) {
    texts.push_back(fmt::format("'{}'", cursor.text().value_or("")));
  }
  return cursor.failed() ? std::string(json) : "[" + join(texts, ", ") + "]";
}

std::string parameter_xml(const std::string& name, const std::string& schema) {
  std::string out = "\n<parameter>" + tag("name", name);
  const Members members = json_members(schema).value_or(Members());
  const std::string_view type = value_of(members, "type");
  const std::string_view description = value_of(members, "description");
  if (!type.empty()) out += tag("type", python_list(type));
  if (!description.empty()) out += tag("description", trim(python_text(description)));
  return out + other_tags(members, {"name", "type", "description"}) + "\n</parameter>";
}

bool is_required(const Json& object, const std::string& name) {
  const Json& required = member(object, "required");
  return std::any_of(required.begin(), required.end(),
                     [&](const Json& one) { return one == name; });
}

bool is_set(const Json& value) {
  return !value.is_null() && value != false && !(value.is_structured() && value.empty());
}

std::string type_of(const Json& schema, int depth);

std::string joined(const Json& values, std::string_view separator) {
  std::string out;
  for (const Json& value : values) {
    if (!out.empty()) out += separator;
    out += python_text(to_spaced_line(value));
  }
  return out;
}

std::string array_type(const Json& schema, int depth) {
  const std::string null = truth_of(schema, "nullable") ? " | null" : "";
  const Json& items = member(schema, "items");
  if (!is_set(items)) return "any[]" + null;
  const std::string item = text_of(items, "type");
  if (item == "string" || item == "number" || item == "boolean") return item + "[]" + null;
  if (item == "integer") return "number[]" + null;
  const std::string inner = type_of(items, depth + 1);
  return (inner == "object | object" || inner.size() > 50 ? "any" : inner) + "[]" + null;
}

std::string union_type(const Json& variants, int depth) {
  std::string out;
  for (const Json& variant : variants) {
    if (!out.empty()) out += " | \n";
    out += type_of(variant, depth + 1);
    const std::string description = text_of(variant, "description");
    if (!description.empty()) out += "// " + description;
    if (variant.is_object() && variant.contains("default")) {
      out += std::string(20, ' ') + "// default: " + to_spaced_line(variant["default"]);
    }
  }
  return out;
}

std::string object_type(const Json& schema, int depth) {
  const Json& properties = member(schema, "properties");
  if (!properties.is_object() || properties.empty()) return "object";
  std::string out = "{\n";
  std::string_view before;
  for (const auto& [name, property] : properties.items()) {
    out += before;
    out += name + (is_required(schema, name) ? ": " : "?: ");
    out += kBreak;
    out += type_of(property, depth + 1);
    before = ", ";
  }
  return out + "}";
}

std::string type_of(const Json& schema, int depth) {
  if (depth > kMaxTypeDepth) return "any";
  const std::string type = text_of(schema, "type");
  const Json& types = member(schema, "type");
  const Json& variants = member(schema, "oneOf");
  if (type == "array") return array_type(schema, depth);
  if (types.is_array() && !types.empty()) return joined(types, " | ");
  if (variants.is_array() && !variants.empty()) return union_type(variants, depth);
  if (type == "string") {
    const Json& values = member(schema, "enum");
    if (values.is_array() && !values.empty()) return "\"" + joined(values, "\" | \"") + "\"";
    return truth_of(schema, "nullable") ? "string | null" : "string";
  }
  if (type == "number" || type == "integer") return "number";
  if (type == "boolean") return "boolean";
  return type == "object" ? object_type(schema, depth) : "any";
}

std::string default_of(const Json& schema) {
  if (!schema.is_object() || !schema.contains("default")) return "";
  const std::string value = to_spaced_line(schema["default"]);
  if (is_set(member(schema, "enum"))) return ", // default: " + python_text(value);
  if (is_set(member(schema, "oneOf"))) return "// default: " + python_text(value);
  return ", // default: " + value;
}

}  // namespace

std::optional<Members> json_members(std::string_view json) {
  const std::optional<std::string> written = python_json(json);
  if (!written) return {};
  Members out;
  JsonCursor cursor(*written, kToolLimits);
  cursor.enter_object();
  while (const auto name = cursor.next_member()) {
    std::string key(*name);
    const auto value = cursor.skip();
    out.emplace_back(std::move(key), value ? value->text : "");
  }
  if (!cursor.finish()) return {};
  return out;
}

std::string python_text(std::string_view json) {
  if (json == "true") return "True";
  if (json == "false") return "False";
  if (json == "null") return "None";
  if (!json.starts_with('"')) return std::string(json);
  JsonCursor cursor(json, kToolLimits);
  return std::string(cursor.text().value_or(json));
}

std::string python_argument(std::string_view json) {
  if (json.starts_with('"')) return fmt::format("'{}'", python_text(json));
  return python_text(json);
}

std::string text_or_json(std::string_view json) {
  return json.starts_with('"') ? python_text(json) : std::string(json);
}

std::string tool_function_json(const DeclaredTool& tool) {
  return fmt::format(R"({{"name": {}, "description": {}, "parameters": {}}})",
                     python_json_string(tool.name), python_json_string(tool.description),
                     python_json_or_string(tool.parameters));
}

std::string tool_json(const DeclaredTool& tool) {
  return fmt::format(R"({{"type": "function", "function": {}}})", tool_function_json(tool));
}

std::string tool_indented_json(const DeclaredTool& tool) {
  return indented(tool_json(tool));
}

std::string tool_xml(const DeclaredTool& tool) {
  std::string out = "\n<function>" + tag("name", tool.name);
  out += tag("description", trim(tool.description));
  out += "\n<parameters>";
  const Members schema = json_members(tool.parameters).value_or(Members());
  const Members properties = json_members(value_of(schema, "properties")).value_or(Members());
  for (const auto& [name, property] : properties) out += parameter_xml(name, property);
  return out + other_tags(schema, {"type", "properties"}) + "\n</parameters>\n</function>";
}

std::string tool_typescript(const DeclaredTool& tool) {
  std::string out = fmt::format("// {}\ntype {} = ", tool.description, tool.name);
  const Result<Json> schema = parse_json(tool.parameters);
  const Json& properties = schema ? member(*schema, "properties") : member(Json(), "");
  if (!properties.is_object() || properties.empty()) return out + "() => any;\n\n";
  out += "(_: {\n";
  for (const auto& [name, property] : properties.items()) {
    const std::string description = text_of(property, "description");
    if (!description.empty()) out += "// " + description + "\n";
    out += name + (is_required(*schema, name) ? ": " : "?: ");
    out += type_of(property, 0) + default_of(property) + ",\n";
  }
  return out + "}) => any;\n\n";
}

}  // namespace pedro
