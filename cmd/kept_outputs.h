#pragma once

#include <string>

#include "agent/workflow_run.h"
#include "command.h"

namespace pedro {

/// What tells a task from others, kept in its place: `task` is all that a job is about.
std::string hash_of_task(const std::string& task);

/// Writes what phases have handed on so far into a job's folder, as `outputs.json`, with the
/// hash of their task.
Status keep_outputs(CommandContext& context, const std::string& folder, const std::string& agent,
                    const std::string& task, const KeptOutputs& outputs);

/// What the phases of an earlier job have handed on, which may be nothing yet. Error (kUsage):
/// there is no such job, or it was about something else.
Result<KeptOutputs> kept_outputs(CommandContext& context, const std::string& job,
                                 const std::string& agent, const std::string& task);

/// No phase, and no item of one, has handed on anything.
bool is_empty(const KeptOutputs& kept);

}  // namespace pedro
