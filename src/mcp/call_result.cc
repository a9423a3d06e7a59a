#include "mcp/call_result.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/marked_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "json_schema/schema.h"
#include "json_schema/validate.h"

namespace pedro::mcp {
namespace {

constexpr std::size_t kMaxItems = 1000;
constexpr std::size_t kMaxNamedBytes = 300;  // of an address or a type
constexpr SchemaLimits kOutputLimits{
    .max_depth = 64, .max_nodes = 5000, .max_enum_values = 2000, .max_name_bytes = 256};

std::string named(std::string_view text) {
  return make_printable(truncate_utf8(text, kMaxNamedBytes));
}

// Names data that is no text, such as an image in base64.
std::string data_note(std::string_view what, std::string_view type, std::size_t base64_bytes) {
  return fmt::format("[{}, {}, about {} bytes, not shown]", what, type.empty() ? "?" : named(type),
                     base64_bytes / 4 * 3);
}

std::string text_of_resource(const Json& resource) {
  const std::string uri = named(text_of(resource, "uri"));
  if (!member(resource, "text").is_string()) {
    return data_note("resource " + uri, text_of(resource, "mimeType"),
                     text_of(resource, "blob").size());
  }
  return fmt::format("[resource {}]\n{}", uri, text_of(resource, "text"));
}

std::string text_of_item(const Json& item) {
  const std::string type = text_of(item, "type");
  if (type == "text") return text_of(item, "text");
  if (type == "image" || type == "audio") {
    return data_note(type, text_of(item, "mimeType"), text_of(item, "data").size());
  }
  if (type == "resource") return text_of_resource(member(item, "resource"));
  if (type == "resource_link") {
    return fmt::format("[resource {}: {}]", named(text_of(item, "uri")),
                       named(text_of(item, "name")));
  }
  return fmt::format("[content of type '{}', not shown]", named(type));
}

// Returns how the structured content contradicts the tool's schema; "" if it does not.
std::string contradiction(const ToolDeclaration& tool, const Json& result) {
  if (!tool.output_schema.is_object()) return "";
  const auto schema = parse_schema(tool.output_schema, SchemaDialect::kStandard, kOutputLimits);
  if (!schema) return "";  // nothing can be said
  if (!result.contains("structuredContent")) return "it has no structured content";
  const auto violation = validate(*schema, result["structuredContent"]);
  return violation ? to_string(*violation) : "";
}

// Returns the texts of the elements of a list, which others may have made very long.
std::vector<std::string> texts_of_all(const Json& list, std::string (*text)(const Json&)) {
  std::vector<std::string> texts;
  for (const Json& item : list) {
    if (texts.size() == kMaxItems) {
      texts.push_back(fmt::format("[{} more items, not shown]", list.size() - kMaxItems));
      break;
    }
    texts.push_back(text(item));
  }
  return texts;
}

std::string text_of_message(const Json& message) {
  const std::string text = text_of_item(member(message, "content"));
  return text_of(message, "role") == "assistant" ? "assistant: " + text : text;
}

std::string mark(const std::string& server, std::string_view text) {
  return marked(fmt::format("MCP server {}", server), text);
}

}  // namespace

ToolResult error_result(const std::string& server, std::string_view message) {
  return {false, mark(server, message), {}};
}

ToolResult read_resource_result(const std::string& server, const Json& result) {
  const auto texts = texts_of_all(member(result, "contents"), text_of_resource);
  return {true, mark(server, texts.empty() ? "(nothing)" : join(texts, "\n")), {}};
}

std::string text_of_prompt(const Json& result) {
  return join(texts_of_all(member(result, "messages"), text_of_message), "\n\n");
}

ToolResult read_call_result(const std::string& server, const ToolDeclaration& tool,
                            const Json& result) {
  std::vector<std::string> texts = texts_of_all(member(result, "content"), text_of_item);
  if (texts.empty() && result.contains("structuredContent")) {
    texts.push_back(to_line(result["structuredContent"]));
  }
  ToolResult made{!truth_of(result, "isError"),
                  mark(server, texts.empty() ? "(nothing)" : join(texts, "\n")),
                  {}};
  const std::string problem = made.ok ? contradiction(tool, result) : "";
  if (problem.empty()) return made;
  made.ok = false;
  made.text += "\nThis contradicts the output schema of the tool: " + make_printable(problem);
  return made;
}

}  // namespace pedro::mcp
