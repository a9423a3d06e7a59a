#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chat/chat_request.h"

namespace pedro {

/// The ways a declared tool is written for a model. All bytes are the tool's own or markup around
/// them; what is no JSON in `parameters` is written as a JSON string, or left out where there is no
/// JSON to write.

/// {"type": "function", "function": {"name": …, "description": …, "parameters": …}}, as Python.
std::string tool_json(const DeclaredTool& tool);

/// What stands in it as "function".
std::string tool_function_json(const DeclaredTool& tool);

/// tool_json() over several lines, four blanks for each level.
std::string tool_indented_json(const DeclaredTool& tool);

/// Qwen3-Coder's: "\n<function>\n<name>…", a <parameter> for each property, and what else a schema
/// says in tags of its name.
std::string tool_xml(const DeclaredTool& tool);

/// gpt-oss': "// description\ntype name = (_: {…}) => any;\n\n", with the types of TypeScript.
/// Schemas that are nested more than 16 deep are `any` from there on.
std::string tool_typescript(const DeclaredTool& tool);

/// The members of an object, in order: names, and values as Python writes them. Nothing where
/// `json` is no object of RFC 8259.
std::optional<std::vector<std::pair<std::string, std::string>>> json_members(std::string_view json);

/// A JSON value as Python's str() has it where that is not JSON: strings without quotes, True,
/// False, None. `json` is as Python writes it.
std::string python_text(std::string_view json);

/// The same, but what is no string stays JSON.
std::string text_or_json(std::string_view json);

}  // namespace pedro
