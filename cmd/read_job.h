#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/workflow_run.h"
#include "agent/workplace.h"
#include "agent_job.h"
#include "agent_setup.h"
#include "base/trace.h"
#include "command.h"
#include "config/load.h"
#include "model_factory.h"
#include "options.h"
#include "secret_setup.h"
#include "sys/confined_file_system.h"
#include "sys/work_tree.h"
#include "tools/checks.h"

namespace pedro {

/// The inputs of an agent that only reads, collected without a model. The project need not be a
/// repository.
struct ReadSetup {
  LoadedConfig config;
  Trace trace;
  std::unique_ptr<ConfinedFileSystem> files;  ///< of the work tree
  WorkTree tree;
  AgentKit kit;
  std::vector<Check> checks;         ///< described to the model, never run
  std::unique_ptr<Secrets> secrets;  ///< never null
};

/// Reads the project of `options.workdir`, tools and prompts. Errors: kUsage; kConfig, also for an
/// agent with permissions to change something.
Result<ReadSetup> prepare_reading(CommandContext& context, const TaskOptions& options);

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

/// Runs a job of an agent that only reads, from the model to the exit code. Runs its phases at
/// `place`, then `conclude`. Stores the outputs of phases in the job's folder and reuses those of
/// `options.resume`. If that job has no outputs, resumes the job itself. `kept`: inputs that a
/// resumed job needs (AgentJob::given). With -dry-run, only prints the first prompt. Borrows
/// everything.
Result<int> run_read_job(CommandContext& context, ReadSetup& setup, const ReadOptions& options,
                         const WorkflowTask& task, Workplace& place, ServerConnections& connections,
                         const ConcludeReading& conclude, const Json& kept = Json::object());

}  // namespace pedro
