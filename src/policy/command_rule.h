#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pedro::policy {

enum class RuleMatch { kNo, kMaybe, kYes };

/// Returns the name of a program without its folder.
std::string_view program_name(std::string_view word);

/// Matches the words of a rule (see Policy) against a command. Neither is empty. kMaybe: an option
/// may or may not have a value, or another option may mean the same. Also kMaybe: the program is in
/// a folder of the project.
RuleMatch match_rule(const std::vector<std::string>& rule, std::span<const std::string> command);

}  // namespace pedro::policy
