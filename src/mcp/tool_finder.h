#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/manifest.h"
#include "tools/tool.h"

namespace pedro::mcp {

/// The name of the tool that finds and calls tools which are not in the prompt.
inline constexpr const char* kFinderName = "mcp";

/// Returns the manifest of the tool `mcp`, whose action `call` has these tools as targets. Its
/// description names their servers. Omits a tool whose schema cannot be a part of another one, and
/// adds its name to `left_out`.
Manifest finder_manifest(const std::vector<Manifest>& tools, std::vector<std::string>& left_out);

/// Returns the tool. `find` describes the tools that fit a query best, and makes them callable.
///
///     Manifest manifest = finder_manifest(offered, left_out);
///     registry.add(std::move(manifest), make_tool_finder(std::move(offered)));
std::unique_ptr<Tool> make_tool_finder(std::vector<Manifest> tools);

}  // namespace pedro::mcp
