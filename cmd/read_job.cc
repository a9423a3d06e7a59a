#include "read_job.h"

#include <fmt/format.h>

#include "base/text.h"
#include "dry_run.h"
#include "kept_outputs.h"
#include "take_up_job.h"

namespace pedro {
namespace {

// Returns the complete text of a task.
std::string about(const WorkflowTask& task) {
  return task.text + task.beside;
}

// Rejects a resumed job with a different task.
Status require_same(const AgentJob& job, const WorkflowTask& task) {
  if (!job.is_resumed() || text_of(job.given(), "about") == hash_of_task(about(task))) return {};
  return usage_error(fmt::format("-resume {}: its input has changed; start a new job", job.id()));
}

Result<int> work(CommandContext& context, ReadSetup& setup, const WorkflowTask& task,
                 Workplace& place, KeptOutputs earlier, AgentJob& job, Json kept,
                 const ConcludeReading& conclude) {
  PEDRO_RETURN_IF_ERROR(require_same(job, task));
  kept["about"] = hash_of_task(about(task));
  PEDRO_RETURN_IF_ERROR(job.start(task.title, setup.tree.root(), "", std::move(kept)));
  NoteStore notes(context.files, join_path(job.folder(), "notes"));
  // Reading runs only git, rg and ctags, no commands from a model or a project.
  ToolContext tools{setup.tree,          context.processes, context.processes,     notes,
                    context.environment, job.cancel(),      setup.secrets->mask(), &setup.checks};
  tools.policy = &job.gate();
  const ExecutorParts parts{job.model(),        job.info(),     setup.kit.registry, tools,
                            setup.kit.feedback, job.observer(), setup.trace,        job.cancel(),
                            job.answers(),      &job.hooks()};
  ExecutorLimits limits = job.limits();
  limits.tool_bias = setup.kit.tool_bias;
  Executor executor(parts, limits);
  place.use(executor, parts);
  const Bodies bodies = parse_bodies(setup.config.config.model.bodies).value_or(Bodies::kAuto);
  WorkflowTask given = task;
  given.rules = setup.kit.rules;
  WorkflowRun run(setup.kit.workflow, std::move(given), bodies, place, executor, parts);
  run.resume(std::move(earlier));
  run.keep_outputs([&](const KeptOutputs& outputs) {
    return keep_outputs(context, job.folder(), setup.kit.workflow.agent, about(task), outputs);
  });
  PEDRO_TRY(WorkflowResult result, run.run());
  while (result.end == WorkflowResult::End::kDone && setup.kit.workflow.follow_up) {
    PEDRO_TRY(const std::string message, job.next_message());
    if (message.empty()) break;
    PEDRO_TRY(result, run.follow_up(message));
  }
  PEDRO_TRY(const JobOutcome outcome, conclude(result, run.outputs(), executor));
  return job.end(outcome);
}

// Stores nothing: a dry run has no job.
Result<int> dry_run(CommandContext& context, ReadSetup& setup, const WorkflowTask& task,
                    Workplace& place) {
  DryParts dry(context, setup);
  place.use(dry.executor, dry.executor_parts);
  const Bodies bodies = parse_bodies(setup.config.config.model.bodies).value_or(Bodies::kAuto);
  WorkflowTask given = task;
  given.rules = setup.kit.rules;
  WorkflowRun run(setup.kit.workflow, std::move(given), bodies, place, dry.executor,
                  dry.executor_parts);
  PEDRO_TRY(std::vector<ChatMessage> prompt, run.first_prompt());
  print_dry_run(context, setup.config, setup.kit, dry.info, {task.title}, std::move(prompt));
  return kExitDone;
}

// Returns the outputs of an earlier job. If there are none, resumes that job itself.
Result<KeptOutputs> take_up_outputs(CommandContext& context, const ReadSetup& setup,
                                    const ReadOptions& options, const WorkflowTask& task) {
  if (options.resume.empty()) return KeptOutputs();
  const std::string& agent = setup.kit.workflow.agent;
  Result<KeptOutputs> kept = kept_outputs(context, options.resume, agent, about(task));
  if (!kept || !is_empty(*kept)) return kept;
  if (context.global.resume.empty()) {
    PEDRO_RETURN_IF_ERROR(take_up_here(context, options.resume, agent, setup.tree.root()));
  }
  return KeptOutputs();
}

}  // namespace

std::string command_to_go_on(const CommandContext& context, const ReadSetup& setup) {
  std::string command = "pedrocli";
  std::string words;  // "--" and all after it, which are not flags
  const std::vector<std::string>& args = context.global.args;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string shown = " " + quoted_for_shell(setup.secrets->hide(args[i]));
    if (args[i] == "--" || !words.empty()) {
      words += shown;
      continue;
    }
    std::string_view flag = args[i];
    if (flag.starts_with("--")) flag.remove_prefix(1);
    if (flag.starts_with("-resume=")) continue;
    if (flag == "-resume") {
      ++i;
      continue;
    }
    command += shown;
  }
  return command + " -resume {job}" + words;
}

std::string job_with_task(const CommandContext& context, const ReadOptions& options,
                          bool has_task) {
  if (!context.global.resume.empty()) return context.global.resume;
  return has_task ? "" : options.resume;
}

Result<Json> kept_by_job(const CommandContext& context, const std::string& job) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  const Result<std::string> id = store.find(job);
  if (!id) return id.error().at("-resume");
  const Result<Json> start = AnswerLog::read_start(context.files, store.folder(*id));
  if (!start) return start.error().at("-resume " + *id);
  return member(*start, "given");
}

Result<int> run_read_job(CommandContext& context, ReadSetup& setup, const ReadOptions& options,
                         const WorkflowTask& task, Workplace& place, ServerConnections& connections,
                         const ConcludeReading& conclude, const Json& kept) {
  if (options.dry_run) return dry_run(context, setup, task, place);
  PEDRO_TRY(KeptOutputs earlier, take_up_outputs(context, setup, options, task));
  for (std::string& arg : context.global.args) arg = setup.secrets->hide(std::move(arg));
  const std::string& agent = setup.kit.workflow.agent;
  PEDRO_TRY(auto job, AgentJob::open(context, setup.config, setup.trace, *setup.secrets,
                                     connections, agent, options));
  keep_mcp_images(setup.kit.servers, job->images());
  Result<int> code = work(context, setup, task, place, std::move(earlier), *job, kept, conclude);
  if (code) return code;
  job->fail(code.error(), "");
  return setup.secrets->hide(code.error());
}

}  // namespace pedro
