#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chat/chat_request.h"

namespace pedro {

/// The forms of a declared tool in a prompt. All bytes are the tool's or markup. `parameters` that
/// are not JSON become a JSON string; forms that need JSON omit them.

/// Returns {"type": "function", "function": {"name": …, "description": …, "parameters": …}}, in
/// Python's spelling.
std::string tool_json(const DeclaredTool& tool);

/// Returns the value of "function" in tool_json().
std::string tool_function_json(const DeclaredTool& tool);

/// Returns tool_json() over several lines, with four blanks per level.
std::string tool_indented_json(const DeclaredTool& tool);

/// Returns Qwen3-Coder's form: "\n<function>\n<name>…", a <parameter> for each property, and a tag
/// for each other member of the schema.
std::string tool_xml(const DeclaredTool& tool);

/// Returns gpt-oss's form: "// description\ntype name = (_: {…}) => any;\n\n", with TypeScript
/// types. Types nested more than 16 levels deep are `any`.
std::string tool_typescript(const DeclaredTool& tool);

/// Returns the members of an object in order: names, and values in Python's spelling. Returns
/// nothing if `json` is not an object of RFC 8259.
std::optional<std::vector<std::pair<std::string, std::string>>> json_members(std::string_view json);

/// Returns a JSON value like Python's str(): strings without quotes, True, False, None; other
/// values stay JSON. Requires `json` in Python's spelling.
std::string python_text(std::string_view json);

/// Returns an argument of a call in Python, as LFM2.5's template writes it. A string has single
/// quotes and no escapes, an object is JSON, any other value is like python_text().
std::string python_argument(std::string_view json);

/// Returns a string without its quotes; other values stay JSON.
std::string text_or_json(std::string_view json);

}  // namespace pedro
