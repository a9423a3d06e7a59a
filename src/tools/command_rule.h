#pragma once

#include <string>
#include <vector>

#include "tools/command_list.h"

namespace pedro {

enum class RuleMatch { kNo, kMaybe, kYes };

/// Whether the words of a rule (see Policy) mean a command. kMaybe where a word is not known, an
/// option may have a value or not, or a program of that name lies in a folder of the project's.
RuleMatch match_rule(const std::vector<std::string>& rule, const ListedCommand& command);

}  // namespace pedro
