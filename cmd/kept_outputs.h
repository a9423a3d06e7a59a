#pragma once

#include <string>

#include "agent/workflow_run.h"
#include "command.h"

namespace pedro {

/// Writes what phases have handed on so far into a job's folder, as `outputs.json`. `task` is all
/// that they were about; a hash of it is kept.
Status keep_outputs(CommandContext& context, const std::string& folder, const std::string& agent,
                    const std::string& task, const KeptOutputs& outputs);

/// What the phases of an earlier job have handed on. Error (kUsage): there is no such job, or it
/// was about something else.
Result<KeptOutputs> kept_outputs(CommandContext& context, const std::string& job,
                                 const std::string& agent, const std::string& task);

}  // namespace pedro
