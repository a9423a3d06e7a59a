#include "chat_format/callable_tools.h"

#include <fmt/format.h>

#include <utility>

#include "base/json.h"

namespace pedro {
namespace {

constexpr JsonLimits kSchemaLimits{.max_bytes = 16U << 20U, .max_depth = 128};
constexpr std::size_t kMaxTools = 1000;

Error at(std::size_t index, std::string_view message) {
  return {ErrorKind::kUsage, fmt::format("tools[{}]{}", index, message)};
}

}  // namespace

Result<CallableTools> CallableTools::read(std::string_view json) {
  Result<Json> document = parse_json(json, kSchemaLimits);
  if (!document) return Error{ErrorKind::kUsage, document.error().message};
  const Json& list = document->is_object() ? member(*document, "tools") : *document;
  if (!list.is_array() || list.size() > kMaxTools) {
    return Error{ErrorKind::kUsage,
                 fmt::format("expected an array of at most {} tools, or a request with "
                             "\"tools\"",
                             kMaxTools)};
  }
  CallableTools tools;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Json& tool = list[i].contains("function") ? list[i]["function"] : list[i];
    const std::string name = text_of(tool, "name");
    if (name.empty()) return at(i, ": expected a tool with \"name\"");
    const Json& parameters = member(tool, "parameters");
    Json written = parameters.is_null() ? Json::object() : parameters;
    Result<Schema> schema = parse_schema(written);
    if (!schema) return at(i, "/parameters" + schema.error().message);
    tools.schemas_.push_back(*std::move(schema));
    tools.written_.push_back(std::move(written));
    tools.branches_.push_back({name, "", &tools.schemas_.back(), {}, &tools.written_.back()});
  }
  return tools;
}

}  // namespace pedro
