#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/phase.h"
#include "command.h"
#include "config/load.h"
#include "mcp/access_token.h"
#include "mcp/server.h"
#include "mcp/server_settings.h"
#include "sandbox/sandbox.h"
#include "sys/http.h"
#include "sys/scratch_folder.h"
#include "tools/registry.h"

namespace pedro {

/// The configured MCP servers of a project at `root`.
struct McpTable {
  mcp::ServerTable servers;
  std::map<std::string, std::string> places;  ///< the file of each server, by name
  /// Servers of project files that the user does not trust, with the folder of the file.
  std::map<std::string, std::string> untrusted;
};

/// Reads `mcpServers` of the user, then of the project's `.pedrocli.json` and `.mcp.json` if the
/// user trusts the project. The first server of a name counts. Errors: kConfig.
Result<McpTable> read_mcp_servers(const CommandContext& context, const LoadedConfig& config,
                                  const std::string& root);

/// Returns the settings of a server. Error (kConfig): there is none, or its project is not trusted.
Result<mcp::ServerSettings> find_mcp_server(const McpTable& table, const std::string& name);

/// Returns the store of the grants of sign-ins. Error (kConfig): there is no home folder.
Result<mcp::GrantStore> open_grants(const CommandContext& context);

/// A running server with all that it needs. Stops with this object.
struct McpServer {
  mcp::ServerSettings settings;
  std::optional<ScratchFolder> folder;  ///< with settings.write, all that its program may change
  std::unique_ptr<Sandbox> sandbox;
  std::unique_ptr<SandboxRunner> runner;
  std::unique_ptr<Http> http;
  std::unique_ptr<Http> replies;
  std::unique_ptr<mcp::GrantStore> grants;
  std::unique_ptr<Http> sign_in;
  std::unique_ptr<mcp::AccessToken> token;  ///< of an address; else null
  std::unique_ptr<mcp::Server> server;      ///< never null
};

/// Starts a server, or connects to its address. A program gets its own sandbox, which shows it the
/// project at `root` read-only. Errors: kConfig if there is no sandbox; kModel if the server fails.
Result<std::unique_ptr<McpServer>> start_mcp_server(CommandContext& context, const Config& config,
                                                    const std::string& root,
                                                    const std::string& name,
                                                    mcp::ServerSettings settings);

/// Starts the servers that phases name, and adds the named tools to the registry and the phases.
/// Does nothing if no phase names one. Warns about servers that fail and tools that no model can
/// call; the job continues without them. Errors: kConfig, kInterrupted.
Result<std::vector<std::unique_ptr<McpServer>>> add_mcp_tools(CommandContext& context,
                                                              const LoadedConfig& config,
                                                              const std::string& root,
                                                              Registry& registry,
                                                              Workflow& workflow);

/// Lets the servers of a job add images to its conversation. Borrows `images`.
void keep_mcp_images(const std::vector<std::unique_ptr<McpServer>>& servers, ImageFolder& images);

}  // namespace pedro
