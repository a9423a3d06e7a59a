#pragma once

#include <string>

#include "agent/workflow_run.h"
#include "command.h"

namespace pedro {

/// Returns a hash that identifies a task. `task`: the complete text.
std::string hash_of_task(const std::string& task);

/// Writes the outputs of phases to `outputs.json` in a job's folder, with the hash of their task.
/// Errors: those of the file system.
Status keep_outputs(CommandContext& context, const std::string& folder, const std::string& agent,
                    const std::string& task, const KeptOutputs& outputs);

/// Reads the outputs of an earlier job's phases, which may be empty. Error (kUsage): the job does
/// not exist, or had a different task.
Result<KeptOutputs> kept_outputs(CommandContext& context, const std::string& job,
                                 const std::string& agent, const std::string& task);

/// Returns true if no phase, and no item of a phase, has an output.
bool is_empty(const KeptOutputs& kept);

}  // namespace pedro
