#include "mcp/remote_tool.h"

#include <fmt/format.h>

#include "base/text.h"
#include "gbnf/grammar_builder.h"
#include "mcp/shown_text.h"
#include "schema_to_gbnf/schema_to_gbnf.h"

namespace pedro::mcp {
namespace {

constexpr std::size_t kMaxSchemaTextBytes = 64u << 10;
constexpr std::size_t kMaxToolNameBytes = 64;  // the limit of message APIs
constexpr std::size_t kMaxDescriptionBytes = 1024;
constexpr std::size_t kMaxParameterTextBytes = 300;
constexpr SchemaLimits kInputLimits{
    .max_depth = 32, .max_nodes = 2000, .max_enum_values = 1000, .max_name_bytes = 128};

std::string name_for_model(const std::string& server, const std::string& tool) {
  std::string name = server + "_" + tool;
  for (char& c : name) {
    const bool fits = is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    if (!fits) c = '_';
  }
  return name;
}

// Shortens all descriptions. Messages limit the depth of a schema, and so of the recursion.
Json with_short_texts(Json schema) {
  for (auto& [key, value] : schema.items()) {
    if (value.is_structured()) {
      value = with_short_texts(std::move(value));
    } else if (value.is_string() && (key == "description" || key == "title")) {
      value = one_line(value.get_ref<const std::string&>(), kMaxParameterTextBytes);
    }
  }
  return schema;
}

// Closes a schema that only lists parameters. A model that adds others has misunderstood the tool,
// and a repair can then remove them.
Json closed(Json schema) {
  for (const char* key : {"additionalProperties", "patternProperties", "allOf", "anyOf", "oneOf",
                          "$ref", "if", "unevaluatedProperties"}) {
    if (schema.contains(key)) return schema;
  }
  if (schema.contains("properties")) schema["additionalProperties"] = false;
  return schema;
}

Status check_text(const Json& schema) {
  const std::string text = to_line(schema);
  if (text.size() > kMaxSchemaTextBytes) {
    return refusal(
        fmt::format("its schema has {} bytes, the limit is {}", text.size(), kMaxSchemaTextBytes));
  }
  for (const char* own : {"\"x-gbnf\"", "\"x-names\""}) {
    if (text.find(own) != text.npos) {
      return refusal(fmt::format("its schema uses {}, which only pedrocli may", own));
    }
  }
  if (text_of(schema, "type") != "object") {
    return refusal("its schema is not about an object");
  }
  return {};
}

// Returns an error for names that could imitate the structure of a prompt.
Status check_names(const Schema& schema) {
  for (const SchemaNode& node : schema.nodes) {
    for (const Assertion& assertion : node.assertions) {
      const auto* properties = std::get_if<Properties>(&assertion);
      if (properties == nullptr) continue;
      for (const auto& [name, value] : properties->declared) {
        if (name == one_line(name, kInputLimits.max_name_bytes)) continue;
        return refusal("a parameter has a name with control characters or blanks at its ends");
      }
    }
  }
  return {};
}

Result<Schema> checked_schema(const Json& json) {
  auto schema = parse_schema(json, SchemaDialect::kStandard, kInputLimits);
  if (!schema) return refusal("its schema: " + schema.error().message);
  for (const Unchecked& one : schema->unchecked) {
    if (!one.keyword.ends_with("Ref") && one.keyword != "$ref") continue;
    return refusal(fmt::format("its schema: {}: {}: {}", one.pointer, one.keyword, one.why));
  }
  PEDRO_RETURN_IF_ERROR(check_names(*schema));
  GrammarBuilder builder;
  std::vector<Loosened> loosened;
  const auto grammar = convert_schema(builder, *schema, "args", loosened);
  if (!grammar) return refusal("the grammar of its schema: " + grammar.error().message);
  return schema;
}

class RemoteTool : public Tool {
 public:
  RemoteTool(Server& server, const ToolDeclaration& tool, std::string name)
      : server_(server), tool_(tool), name_(std::move(name)) {}

  std::string_view name() const override { return name_; }

  Result<ToolResult> run(const ActionManifest&, const Json& args, ToolContext& context) override {
    return server_.call(tool_, args, context.cancel);
  }

 private:
  Server& server_;
  const ToolDeclaration& tool_;
  std::string name_;
};

}  // namespace

Result<Manifest> manifest_of(const std::string& server, const ToolDeclaration& tool) {
  if (!tool.problem.empty()) return refusal(tool.problem);
  Manifest manifest;
  manifest.name = name_for_model(server, tool.name);
  if (manifest.name.size() > kMaxToolNameBytes) {
    return refusal(
        fmt::format("its name '{}' has more than {} bytes; give the server a shorter one",
                    manifest.name, kMaxToolNameBytes));
  }
  manifest.server_tool = server + "." + tool.name;
  manifest.description = one_line(tool.description, kMaxDescriptionBytes);
  if (manifest.description.empty())
    manifest.description = one_line(tool.name, kMaxDescriptionBytes);
  PEDRO_RETURN_IF_ERROR(check_text(tool.input_schema));
  ActionManifest action;
  action.permission = Permission::kNetwork;
  action.schema_json = closed(with_short_texts(tool.input_schema));
  PEDRO_TRY(action.schema, checked_schema(action.schema_json));
  manifest.actions.push_back(std::move(action));
  return manifest;
}

std::unique_ptr<Tool> make_remote_tool(Server& server, const ToolDeclaration& tool,
                                       const Manifest& manifest) {
  return std::make_unique<RemoteTool>(server, tool, manifest.name);
}

}  // namespace pedro::mcp
