#pragma once

#include <string>
#include <vector>

#include "agent/feedback.h"
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

/// An agent and what it works with.
struct AgentKit {
  Registry registry;
  Workflow workflow;  ///< without the tools that the configuration blocks
  Feedback feedback;
  std::vector<ToolBias> tool_bias;  ///< of the configuration
  std::string rules;                ///< of the project, see project_rules()
};

/// The folder whose `.pedro/` counts for the project at `folder`: the repository's root, or what
/// the configuration names for work outside of one.
Result<std::string> overrides_root(CommandContext& context, const std::string& folder,
                                   const LoadedConfig& config);

/// The prompts of the program with those of the project at `root`: `.pedro/prompts`, and the
/// agents in `.pedro/agents`.
Result<PromptLibrary> open_prompts(const CommandContext& context, const std::string& root);

/// The agent that `options` name with what the project at `root` overrides in `.pedro/`. Error
/// (kConfig).
Result<AgentKit> load_agent(CommandContext& context, const LoadedConfig& config,
                            const std::string& root, const TaskOptions& options);

}  // namespace pedro
