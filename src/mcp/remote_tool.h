#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "mcp/server.h"
#include "tools/manifest.h"
#include "tools/tool.h"

namespace pedro::mcp {

/// Returns the manifest of a server's tool. Its name is "SERVER_TOOL", with '_' for characters that
/// message APIs refuse. Its only action has no name. Its schema is the server's own. A schema that
/// only lists parameters allows no others. Descriptions are shortened to one printable line. Error
/// (kRefused): the limit of schemas that it exceeds, or why a model could not call it.
Result<Manifest> manifest_of(const std::string& server, const ToolDeclaration& tool);

/// Returns the tool that sends calls to the server, under the name of `manifest`. Borrows `server`
/// and `tool`.
std::unique_ptr<Tool> make_remote_tool(Server& server, const ToolDeclaration& tool,
                                       const Manifest& manifest);

}  // namespace pedro::mcp
