#pragma once

#include "command.h"
#include "config/load.h"
#include "policy/policy_gate.h"

namespace pedro {

/// Reads the permissions of a model: the user's rules, and those of the project. Errors (kConfig)
/// name their source.
Result<policy::Policy> read_policy(const LoadedConfig& config);

/// Returns a function that asks on the terminal until `cancel` is set. Returns null if standard
/// input or standard error is not a terminal. Borrows `cancel`.
policy::AskForPermission ask_on_terminal(const CancelToken& cancel);

/// Returns the denied requests for a report; "" if there are none.
std::string denied_lines(const std::vector<std::string>& denied);

}  // namespace pedro
