#pragma once

#include <string>

#include "agent/build_run.h"

namespace pedro {

/// What a person reads at the end of a build, as Markdown: what was done, on which branch, how it
/// was verified (command and exit code, from runs of ours), what it cost.
std::string build_report(const Workflow& workflow, const BuildTask& task, const BuildResult& result,
                         const Executor& executor);

/// The section of a report on what the job cost.
std::string cost_lines(const Executor& executor);

}  // namespace pedro
