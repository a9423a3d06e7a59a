#include <CLI/CLI.hpp>

#include "agent_setup.h"
#include "command.h"
#include "mcp_serving.h"

namespace pedro {
namespace {

Result<int> serve_agents(CommandContext& context) {
  PEDRO_RETURN_IF_ERROR(require_several_jobs(context.global, "the client"));
  PEDRO_TRY(const std::string folder, find_project(context, ""));
  PEDRO_TRY(const LoadedConfig config, load_command_config(context, folder));
  PEDRO_TRY(std::string root, overrides_root(context, folder, config));
  return McpServing(context, std::move(root)).run();
}

}  // namespace

CommandFunction add_mcp_serve_command(CLI::App& command) {
  command.footer(
      "Another agent starts this command in a project and speaks the Model Context Protocol with\n"
      "it. Tools: ask, build, review, status, tell. Resources: the jobs of the project.\n"
      "docs/guide/mcp.md has the settings.");
  return [](CommandContext& context) { return exit_code(serve_agents(context), context.cancel); };
}

}  // namespace pedro
