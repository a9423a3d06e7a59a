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

/// Converts the results of the phases to the outcome of the job, including its outside steps.
using ConcludeReading = std::function<Result<JobOutcome>(
    const WorkflowResult& result, const PhaseOutputs& outputs, const Executor& executor)>;

/// Returns this job's command line with -resume, which reuses the outputs of its phases. "{job}" is
/// replaced by its id (OutsideStep).
std::string command_to_go_on(const CommandContext& context, const ReadSetup& setup);

/// Returns the job whose stored task applies: the one of `pedrocli resume`, or without a given task
/// the one of `-resume`. "": none.
std::string job_with_task(const CommandContext& context, const ReadOptions& options, bool has_task);

/// Returns the stored inputs of that job (`kept` below). Error (kUsage): the job does not exist.
Result<Json> kept_by_job(const CommandContext& context, const std::string& job);

/// Runs a job of an agent that only reads, from the model to the exit code: its phases at `place`,
/// then `conclude`. Stores the outputs of phases in the job's folder and reuses those of
/// `options.resume`. If that job has no outputs, resumes the job itself. `kept`: inputs that a
/// resumed job needs (AgentJob::given). With -dry-run, only prints the first prompt. Borrows
/// everything.
Result<int> run_read_job(CommandContext& context, ReadSetup& setup, const ReadOptions& options,
                         const WorkflowTask& task, Workplace& place, ServerConnections& connections,
                         const ConcludeReading& conclude, const Json& kept = Json::object());

}  // namespace pedro
