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

/// The user's preferences for tools: `model.tool_bias`.
struct ToolPreferences {
  std::vector<ToolBias> biases;
  std::set<std::string> blocked;
};

/// Parses {"search": 1, "git": -2, "bash": false}. A number from -10 to 10 is a bias for the choice
/// of the tool; false removes the tool. Errors: kConfig, naming an unknown tool or an invalid
/// value.
Result<ToolPreferences> read_tool_preferences(const Json& settings, const Registry& registry);

/// Removes blocked tools from all phases, and so from prompts and grammars.
void block_tools(Workflow& workflow, const std::set<std::string>& blocked);

}  // namespace pedro
