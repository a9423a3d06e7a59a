#pragma once

#include <functional>
#include <string>

#include "agent/workflow_run.h"
#include "agent/workplace.h"
#include "agent_job.h"
#include "command.h"
#include "model_factory.h"
#include "options.h"
#include "read_setup.h"

namespace pedro {

/// Says what came of the phases; what is to be done with it is done.
using ConcludeReading = std::function<Result<JobOutcome>(
    const WorkflowResult& result, const PhaseOutputs& outputs, const Executor& executor)>;

/// The command line of this job once more, which takes up what its phases handed on: "{job}" stands
/// for its id (OutsideStep).
std::string command_to_go_on(const CommandContext& context, const ReadSetup& setup);

/// What the job is to go on from, whose own task counts: the one that `pedrocli resume` goes on
/// with, or where no task was given the one that `-resume` names. "": none.
std::string job_with_task(const CommandContext& context, const ReadOptions& options, bool has_task);

/// What that job keeps of what it was given (`kept` below). Error (kUsage): there is no such job.
Result<Json> kept_by_job(const CommandContext& context, const std::string& job);

/// Runs a job of an agent that only reads, from the model to the exit code: its phases at `place`,
/// then `conclude`. What phases hand on is kept in the job's folder, and taken from that of
/// `options.resume`; where no phase of that one has handed on anything, that job itself is gone on
/// with. `kept` is what the job has to know where it is gone on with (AgentJob::given). With
/// -dry-run the first prompt is printed, and nothing is done. Borrows everything.
Result<int> run_read_job(CommandContext& context, ReadSetup& setup, const ReadOptions& options,
                         const WorkflowTask& task, Workplace& place, ServerConnections& connections,
                         const ConcludeReading& conclude, const Json& kept = Json::object());

}  // namespace pedro
