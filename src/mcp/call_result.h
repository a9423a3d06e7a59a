#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "chat/message.h"
#include "mcp/client.h"

namespace pedro::mcp {

/// Converts the result of `tools/call` to text for a model, between marks of foreign text. Bytes
/// are only named. Structured content is shown if there is no text. Content that
/// contradicts the tool's output schema makes the result fail.
ToolResult read_call_result(const std::string& server, const ToolDeclaration& tool,
                            const Json& result);

/// Converts the result of `resources/read` in the same way.
ToolResult read_resource_result(const std::string& server, const Json& result);

/// Returns the text of a prompt's messages, for a person. Those of the assistant begin with
/// "assistant: ".
std::string text_of_prompt(const Json& result);

/// Returns a failed result with an error message of the server, between the same marks.
ToolResult error_result(const std::string& server, std::string_view message);

}  // namespace pedro::mcp
