#pragma once

#include <string>
#include <vector>

#include "tools/command_list.h"

namespace pedro {

enum class RuleMatch { kNo, kMaybe, kYes };

/// Matches the words of a rule (see Policy) against a command. kMaybe if a word is unknown, an
/// option may or may not have a value, or the program is in a folder of the project.
RuleMatch match_rule(const std::vector<std::string>& rule, const ListedCommand& command);

}  // namespace pedro
