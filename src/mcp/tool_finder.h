#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mcp/resource_table.h"
#include "tools/manifest.h"
#include "tools/tool.h"

namespace pedro::mcp {

/// The name of the tool that finds and calls the MCP tools outside of the prompt.
inline constexpr const char* kFinderName = "mcp";

/// Returns the manifest of the tool `mcp`. Its description names the servers of `tools` and
/// `resources`. Its action `call` has a target for each tool, and its action `read` takes the
/// addresses of `resources`. An action without either is left out. Removes a tool from `tools`
/// whose schema is invalid inside another schema, and returns its name and the reason in
/// `left_out`.
///
///     Manifest manifest = finder_manifest(offered, resources, left_out);
///     registry.add(std::move(manifest), make_tool_finder(std::move(offered), resources));
Manifest finder_manifest(std::vector<Manifest>& tools, const ResourceTable& resources,
                         std::vector<std::string>& left_out);

/// Returns the tool `mcp`. Its action `find` returns the declarations of the 5 tools that fit a
/// query best, 12 KiB in all, with their names in ToolResult::found, and the 5 best resources. Its
/// action `read` reads a resource; the policy knows it as "SERVER.resources/read".
std::unique_ptr<Tool> make_tool_finder(std::vector<Manifest> tools, ResourceTable resources);

}  // namespace pedro::mcp
