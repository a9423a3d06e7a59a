#include "read_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "dry_run.h"
#include "take_up_job.h"
#include "tools/project_checks.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxOutputsBytes = 64u << 20;
constexpr const char* kOutputsFile = "outputs.json";

// Returns true if an output exists. A phase with `for_each` has null elements for pending items.
bool is_there(const Json& output) {
  if (!output.is_array()) return !output.is_null();
  return std::any_of(output.begin(), output.end(),
                     [](const Json& item) { return !item.is_null(); });
}

// Returns a hash that identifies a task. `task`: the complete text.
std::string hash_of_task(const std::string& task) {
  return to_hex(hash_bytes(task, kHashSeed));
}

// Returns true if no phase, and no item of a phase, has an output.
bool is_empty(const KeptOutputs& kept) {
  return std::none_of(kept.outputs.begin(), kept.outputs.end(),
                      [](const auto& phase) { return is_there(phase.second); });
}

// Writes the outputs of phases to `outputs.json` in a job's folder, with the hash of their task.
// Errors: those of the file system.
Status keep_outputs(CommandContext& context, const std::string& folder, const std::string& agent,
                    const std::string& task, const KeptOutputs& outputs) {
  Json phases = Json::object();
  for (const auto& [phase, output] : outputs.outputs) phases[phase] = output;
  Json items = Json::object();
  for (const auto& [phase, hash] : outputs.items) items[phase] = hash;
  const Json kept = {
      {"agent", agent}, {"task", hash_of_task(task)}, {"outputs", phases}, {"items", items}};
  return context.files.write_atomic(join_path(folder, kOutputsFile), to_line(kept) + "\n", 0600);
}

// Reads the outputs of an earlier job's phases, which may be empty. Error (kUsage): the job does
// not exist, or had a different task.
Result<KeptOutputs> kept_outputs(CommandContext& context, const std::string& job,
                                 const std::string& agent, const std::string& task) {
  const auto usage = [&](std::string_view what) {
    return usage_error(fmt::format("-resume {}: {}", job, what));
  };
  PEDRO_TRY(const JobStore store, open_job_store(context));
  const Result<std::string> id = store.find(job);
  if (!id) return id.error().at("-resume");
  const std::string path = join_path(store.folder(*id), kOutputsFile);
  if (context.files.info(path).kind == FileKind::kMissing) return KeptOutputs();
  const Result<std::string> text = context.files.read(path, kMaxOutputsBytes);
  if (!text) return usage(text.error().message);
  const Result<Json> kept = parse_json(*text);
  if (!kept) return usage("its outputs.json is broken: " + kept.error().message);
  if (text_of(*kept, "agent") != agent) {
    return usage(fmt::format("is a job of the agent '{}'", text_of(*kept, "agent")));
  }
  if (text_of(*kept, "task") != hash_of_task(task)) {
    return usage("its input has changed; give the same input as then");
  }
  KeptOutputs outputs;
  for (const auto& [phase, output] : member(*kept, "outputs").items()) {
    outputs.outputs[phase] = output;
  }
  for (const auto& [phase, hash] : member(*kept, "items").items()) {
    if (hash.is_string()) outputs.items[phase] = hash.get<std::string>();
  }
  return outputs;
}

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
  for (;;) {
    const auto may_go_on = [&] {
      return result.end == WorkflowResult::End::kDone && setup.kit.workflow.follow_up;
    };
    while (may_go_on()) {
      PEDRO_TRY(const std::string message, job.next_message());
      if (message.empty()) break;
      PEDRO_TRY(result, run.follow_up(message));
    }
    PEDRO_TRY(const JobOutcome outcome, conclude(result, run.outputs(), executor));
    const Result<int> code = job.end(outcome);
    if (!code || !may_go_on()) return code;
    PEDRO_TRY(const bool goes_on, job.begin_turn());
    if (!goes_on) return code;
  }
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

// Checks the permissions of all phases, which the project's prompts can change.
Status check_reads_only(const Workflow& workflow) {
  for (const Phase& phase : workflow.phases) {
    for (const Permission permission : phase.allow) {
      if (permission == Permission::kRead) continue;
      return config_error(
          fmt::format("prompts/{}: phase '{}': allow: this agent only reads, got '{}'",
                      workflow.agent, phase.name, to_string(permission)));
    }
  }
  return {};
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

Result<ReadSetup> prepare_reading(CommandContext& context, const TaskOptions& options) {
  PEDRO_TRY(LoadedConfig config, open_agent_project(context, options.workdir));
  PEDRO_TRY(const std::string root, overrides_root(context, config, options.workdir));
  PEDRO_TRY(Trace trace, make_trace(context.global));
  PEDRO_RETURN_IF_ERROR(check_record(context, root));
  PEDRO_TRY(auto files, ConfinedFileSystem::open(root));
  PEDRO_TRY(WorkTree tree, WorkTree::open(*files, root));
  PEDRO_TRY(AgentKit kit, load_agent(context, config, root, options));
  PEDRO_RETURN_IF_ERROR(check_reads_only(kit.workflow));
  std::vector<Check> checks = detect_checks(tree);
  auto secrets = std::make_unique<Secrets>(context, config.config, std::vector{root});
  for (const auto& one : kit.servers) secrets->follow(*one);
  secrets->cover(trace);
  return ReadSetup{std::move(config), std::move(trace),  std::move(files),  std::move(tree),
                   std::move(kit),    std::move(checks), std::move(secrets)};
}

}  // namespace pedro
