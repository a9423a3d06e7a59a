#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/manifest.h"
#include "tools/tool.h"

namespace pedro::mcp {

/// The name of the tool that finds and calls the MCP tools outside of the prompt.
inline constexpr const char* kFinderName = "mcp";

/// Returns the manifest of the tool `mcp`. Its description names the servers of `tools`. Its action
/// `call` has a target for each of them. Removes a tool from `tools` whose schema is invalid inside
/// another schema, and returns its name and the reason in `left_out`.
///
///     Manifest manifest = finder_manifest(offered, left_out);
///     registry.add(std::move(manifest), make_tool_finder(std::move(offered)));
Manifest finder_manifest(std::vector<Manifest>& tools, std::vector<std::string>& left_out);

/// Returns the tool `mcp`. Its action `find` returns the declarations of the 5 tools that fit a
/// query best, 12 KiB in all, and their names in ToolResult::found.
std::unique_ptr<Tool> make_tool_finder(std::vector<Manifest> tools);

}  // namespace pedro::mcp
