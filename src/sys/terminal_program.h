#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace pedro {

/// Runs a program on the user's terminal, such as an editor, and waits for it. It has this
/// process's standard streams, environment and process group. Returns its exit code, 128 + N for
/// signal N. Errors: kUsage, "NAME: not found in PATH" and other failed starts.
Result<int> run_terminal_program(const std::vector<std::string>& argv);

}  // namespace pedro
