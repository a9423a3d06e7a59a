#pragma once

#include <set>
#include <string>
#include <vector>

#include "agent/phase.h"
#include "base/json.h"
#include "base/result.h"
#include "llm/tool_bias.h"
#include "tools/registry.h"

namespace pedro {

/// What a user wants of tools: `model.tool_bias`.
struct ToolPreferences {
  std::vector<ToolBias> biases;
  std::set<std::string> blocked;
};

/// Reads {"search": 1, "git": -2, "bash": false}: a number from -10 to 10 is a bias of the choice,
/// false takes the tool away. Errors (kConfig) name the member: a tool that is not there, a value
/// that is neither.
Result<ToolPreferences> read_tool_preferences(const Json& settings, const Registry& registry);

/// Takes blocked tools out of all phases: they are in no prompt and no grammar then.
void block_tools(Workflow& workflow, const std::set<std::string>& blocked);

}  // namespace pedro
