#pragma once

#include <string>
#include <vector>

#include "agent/feedback.h"
#include "agent/phase.h"
#include "command.h"
#include "config/load.h"
#include "llm/tool_bias.h"
#include "mcp_setup.h"
#include "tools/registry.h"

namespace pedro {

/// Checks all settings as agents do, including the members of nested ones. Errors: kConfig, with
/// the origin.
Status check_settings(CommandContext& context, const LoadedConfig& config);

/// Loads the configuration of the project of `workdir` and checks its model settings. Errors:
/// kUsage, kConfig.
Result<LoadedConfig> open_agent_project(CommandContext& context, const std::string& workdir);

/// Rejects a recording (kUsage) inside the work tree at `root`, because the job would commit it.
/// Also rejects a path of an existing file that is not a recording.
Status check_record(const CommandContext& context, const std::string& root);

/// An agent with its tools and prompts.
struct AgentKit {
  Registry registry;
  Workflow workflow;  ///< without the tools that the configuration blocks
  Feedback feedback;
  std::vector<ToolBias> tool_bias;                  ///< from the configuration
  std::string rules;                                ///< the project's rules, see project_rules()
  std::vector<std::unique_ptr<McpServer>> servers;  ///< those that phases name; for `registry`
  std::vector<std::string> skill_folders;           ///< readable for commands of the model
};

/// Returns the folder with the `.pedro/` of the project. It is the repository's root, or the folder
/// to work in (work_folder) outside of a repository.
Result<std::string> overrides_root(CommandContext& context, const LoadedConfig& config,
                                   const std::string& workdir = "");

/// Returns the built-in tools with the overrides of the project at `root`: `.pedro/tools`.
Result<Registry> open_tools(const CommandContext& context, const std::string& root);

/// Returns the built-in prompts with the overrides of the project at `root`: `.pedro/prompts` and
/// `.pedro/agents`.
Result<PromptLibrary> open_prompts(const CommandContext& context, const std::string& root);

/// Loads the agent that `options` name, with the overrides in `.pedro/` of the project at `root`.
/// Starts the MCP servers that its phases name. Errors: kConfig, kInterrupted.
Result<AgentKit> load_agent(CommandContext& context, const LoadedConfig& config,
                            const std::string& root, const TaskOptions& options);

}  // namespace pedro
