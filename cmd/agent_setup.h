#pragma once

#include <string>
#include <vector>

#include "agent/phase.h"
#include "command.h"
#include "config/load.h"
#include "llm/tool_bias.h"
#include "tools/registry.h"

namespace pedro {

/// What the flags and the configuration of the project say, before anything else is looked at.
struct AgentProject {
  std::string folder;
  LoadedConfig config;
};

/// The project around `workdir`, with settings of the model that can be worked with. Error
/// (kUsage, kConfig).
Result<AgentProject> open_agent_project(CommandContext& context, const std::string& workdir);

/// A recording in the work tree at `root` would count as a change and be committed, and one in
/// place of another file would lose that: kUsage.
Status check_record(const CommandContext& context, const std::string& root);

/// Blocked tools leave the phases; the biases of others come back. Error (kConfig).
Result<std::vector<ToolBias>> prefer_tools(const LoadedConfig& config, const Registry& registry,
                                           Workflow& workflow);

}  // namespace pedro
