#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sys/process.h"

namespace pedro {

/// Runs `gh ARGUMENTS` in `folder` without prompts or colors and returns its output. Errors: kUsage
/// if gh is not installed, not logged in (its exit code 4), or failed, with its message;
/// kInterrupted.
Result<std::string> run_gh(const std::string& folder, std::vector<std::string> arguments,
                           ProcessRunner& processes, const CancelToken& cancel,
                           std::optional<std::string> input = {});

}  // namespace pedro
