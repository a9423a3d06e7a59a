#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/tool.h"

namespace pedro {

/// Checks the names in backticks of a model's reason why a task is impossible. Returns a sentence
/// for each file or program, at most 10: "`gradle`: this machine has no such program". Skips
/// other names. Reads no file.
std::vector<std::string> check_blocked_claim(std::string_view reason, const ToolContext& tools);

}  // namespace pedro
