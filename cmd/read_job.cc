#include "read_job.h"

#include "dry_run.h"
#include "kept_outputs.h"
#include "tools/focused_test.h"

namespace pedro {
namespace {

Result<int> work(CommandContext& context, ReadSetup& setup, const WorkflowTask& task,
                 Workplace& place, KeptOutputs earlier, AgentJob& job,
                 const ConcludeReading& conclude) {
  if (Status started = job.start(task.title, setup.tree.root(), "", {}); !started) {
    return started.error();
  }
  NoteStore notes(context.files, join_path(job.folder(), "notes"));
  // Reading runs git, rg and ctags, and nothing that a model or a project wrote.
  ToolContext tools{setup.tree,          context.processes, context.processes,     notes,
                    context.environment, job.cancel(),      setup.secrets->mask(), &setup.checks};
  tools.policy = &job.gate();
  const ExecutorParts parts{job.model(), job.info(),         setup.kit.registry,
                            tools,       setup.kit.feedback, job.observer(),
                            setup.trace, job.cancel(),       job.answers()};
  ExecutorLimits limits = job.limits();
  limits.tool_bias = setup.kit.tool_bias;
  Executor executor(parts, limits);
  const Bodies bodies = parse_bodies(setup.config.config.model.bodies).value_or(Bodies::kAuto);
  WorkflowTask given = task;
  given.rules = setup.kit.rules;
  WorkflowRun run(setup.kit.workflow, std::move(given), bodies, place, executor, parts);
  run.resume(std::move(earlier));
  run.keep_outputs([&](const KeptOutputs& outputs) {
    return keep_outputs(context, job.folder(), setup.kit.workflow.agent, task.text + task.beside,
                        outputs);
  });
  const Result<WorkflowResult> result = run.run();
  if (!result) return result.error();
  const Result<JobOutcome> outcome = conclude(*result, run.outputs(), executor);
  if (!outcome) return outcome.error();
  return job.end(*outcome);
}

// Nothing is kept: there is no job.
Result<int> dry_run(CommandContext& context, ReadSetup& setup, const WorkflowTask& task,
                    Workplace& place) {
  DryParts dry(context, setup);
  const Bodies bodies = parse_bodies(setup.config.config.model.bodies).value_or(Bodies::kAuto);
  WorkflowTask given = task;
  given.rules = setup.kit.rules;
  WorkflowRun run(setup.kit.workflow, std::move(given), bodies, place, dry.executor,
                  dry.executor_parts);
  Result<std::vector<ChatMessage>> prompt = run.first_prompt();
  if (!prompt) return prompt.error();
  print_dry_run(context, setup.kit, dry.info, {task.title}, *std::move(prompt));
  return kExitDone;
}

}  // namespace

std::string command_to_go_on(const CommandContext& context, const ReadSetup& setup) {
  std::string command = "pedrocli";
  const std::vector<std::string>& args = context.global.args;
  for (std::size_t i = 0; i < args.size(); ++i) {
    std::string_view flag = args[i];
    if (flag.starts_with("--")) flag.remove_prefix(1);
    if (flag.starts_with("-resume=")) continue;
    if (flag == "-resume") {
      ++i;
      continue;
    }
    command += " " + quoted_for_shell(setup.secrets->hide(args[i]));
  }
  return command + " -resume {job}";
}

Result<int> run_read_job(CommandContext& context, ReadSetup& setup, const ReadOptions& options,
                         const WorkflowTask& task, Workplace& place, ServerConnections& connections,
                         const ConcludeReading& conclude) {
  if (options.dry_run) return dry_run(context, setup, task, place);
  const std::string& agent = setup.kit.workflow.agent;
  KeptOutputs earlier;
  if (!options.resume.empty()) {
    Result<KeptOutputs> kept =
        kept_outputs(context, options.resume, agent, task.text + task.beside);
    if (!kept) return kept.error();
    earlier = *std::move(kept);
  }
  auto job = AgentJob::open(context, setup.config, setup.trace, connections, agent, options);
  if (!job) return job.error();
  Result<int> code = work(context, setup, task, place, std::move(earlier), **job, conclude);
  if (!code) (*job)->fail(code.error(), "");
  return code;
}

}  // namespace pedro
