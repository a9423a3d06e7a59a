#pragma once

#include <string>

#include "agent/build_run.h"

namespace pedro {

/// Returns the report of a build as Markdown for users: result, branch, verification and cost. The
/// verification has the commands and exit codes of pedrocli's own runs.
std::string build_report(const Workflow& workflow, const BuildTask& task, const BuildResult& result,
                         const Executor& executor);

/// Returns the report section about a job's cost.
std::string cost_lines(const Executor& executor);

}  // namespace pedro
