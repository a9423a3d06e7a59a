#pragma once

#include "command.h"
#include "config/load.h"
#include "tools/policy_gate.h"

namespace pedro {

/// What the configuration lets a model do: the user's rules, and those of the project beside them.
/// Error (kConfig) with its place.
Result<Policy> read_policy(const LoadedConfig& config);

/// Asks on the terminal, until `cancel` is set; null where standard input or error is none.
/// Borrows.
AskForPermission ask_on_terminal(const CancelToken& cancel);

/// What was denied, for a report; "" where nothing was.
std::string denied_lines(const std::vector<std::string>& denied);

}  // namespace pedro
