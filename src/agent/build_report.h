#pragma once

#include <string>

#include "agent/build_run.h"

namespace pedro {

/// Returns the report of a build as Markdown for users: the result, the branch, the verification
/// (commands and exit codes of pedrocli's own runs) and the cost.
std::string build_report(const Workflow& workflow, const BuildTask& task, const BuildResult& result,
                         const Executor& executor);

/// Returns the report section about a job's cost.
std::string cost_lines(const Executor& executor);

}  // namespace pedro
