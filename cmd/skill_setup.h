#pragma once

#include <string>
#include <vector>

#include "agent/phase.h"
#include "command.h"
#include "config/load.h"
#include "skills/skill_table.h"
#include "tools/registry.h"

namespace pedro {

/// Finds the skills of the project at `root`, if the user trusts it, and those of the user. Prints
/// a note if the project has skills and is not trusted.
SkillTable skills_of(const CommandContext& context, const LoadedConfig& config,
                     const std::string& root);

/// Adds the tool `skill` to the registry and to all phases with tools. Does nothing if there are no
/// skills for models. Warns about unusable ones. Returns the folders of the skills.
std::vector<std::string> add_skills(const CommandContext& context, const LoadedConfig& config,
                                    const std::string& root, Registry& registry,
                                    Workflow& workflow);

}  // namespace pedro
