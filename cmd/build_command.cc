#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "agent/build_run.h"
#include "agent_flags.h"
#include "agent_job.h"
#include "build_job.h"
#include "build_setup.h"
#include "command.h"
#include "dry_run.h"
#include "model_factory.h"
#include "take_up_job.h"
#include "vocabulary_setup.h"
#include "work_place.h"

namespace pedro {
namespace {

Result<int> dry_run(CommandContext& context, BuildSetup& setup, const ModelRegistry& known) {
  DryParts dry(context, setup);
  const ModelSettings& model = setup.config.config.model;
  dry.info.name = model.model_name;
  dry.info.backend = context.global.backend;
  use_habits(setup, habits_of(model.tries, known, dry.info));
  CheckedTree tree =
      checked_tree(setup, context.processes, context.cancel, dry.progress, dry.answers);
  BuildRun run(setup.kit.workflow, setup.task, setup.settings, setup.repository, tree, dry.executor,
               dry.executor_parts);
  PEDRO_TRY(std::vector<ChatMessage> messages, run.first_prompt());
  print_dry_run(context, setup.config, setup.kit, dry.info,
                {setup.task.title, setup.settings.base, setup.settings.branch,
                 shown_checks(setup.checks, setup.secrets->mask())},
                std::move(messages));
  return kExitDone;
}

Result<int> run_build(CommandContext& context, const BuildOptions& options) {
  PEDRO_TRY(LoadedConfig config, open_build_project(context, options));
  PEDRO_TRY(ModelRegistry registry, registry_of(config));
  ServerConnections connections(context, std::move(registry));
  PEDRO_TRY(BuildSetup setup, prepare_build(context, options, std::move(config), connections.http));
  if (options.dry_run) return dry_run(context, setup, connections.registry);
  const Result<int> code = run_build_job(context, setup, options, connections);
  leave_own_tree(context, setup.own_tree);
  return code;
}

Result<int> take_up(CommandContext& context, const BuildOptions& options) {
  const bool has_task =
      !options.issue.empty() || !options.description.empty() || !options.file.empty();
  if (options.after.empty() && !options.message.empty()) {
    return usage_error("a message is for a job that is done: add -after JOB, or use -description");
  }
  if (!options.after.empty() && !options.resume.empty()) {
    return usage_error("-after is for a job that is done, -resume for a stopped one: omit one");
  }
  if (has_task) {
    return usage_error(fmt::format("-{}: the job already has a task; omit the one given here",
                                   options.after.empty() ? "resume" : "after"));
  }
  if (options.after.empty()) return take_up_job(context, options.resume, options.agent);
  PEDRO_TRY(const LoadedConfig config, open_build_project(context, options));
  PEDRO_TRY(const std::string root, overrides_root(context, config));
  PEDRO_RETURN_IF_ERROR(require_own_project(context, options.after, root));
  return take_up_conversation(context, options.after, options.agent, options.message);
}

}  // namespace

int run_build_command(CommandContext& context, const BuildOptions& options) {
  // Schedules the resumed job's command line, which calls this function again.
  if (!options.resume.empty() || !options.after.empty() || !options.message.empty()) {
    return exit_code(take_up(context, options), context.cancel);
  }
  context.global.allow_net = options.allow_net;
  return run_agent(context, options, [&] { return run_build(context, options); });
}

CommandFunction add_build_command(CLI::App& command) {
  auto options = std::make_shared<BuildOptions>();
  options->agent = "build";
  command.add_option("--issue", options->issue, "Issue number, a file with its text, or -");
  command.add_option("--description", options->description,
                     "The task, instead of the issue or in addition");
  command.add_option("--file", options->file, "A file that describes the task, or -");
  add_build_flags(command, *options);
  command.add_option("message", options->message, "With -after: the next message to the model");
  command.add_option("--after", options->after,
                     "Continue this finished job with a message, on its branch");
  return [options](CommandContext& context) { return run_build_command(context, *options); };
}

CommandFunction add_debug_command(CLI::App& command) {
  auto options = std::make_shared<BuildOptions>();
  options->agent = "debug";
  command.add_option("--symptoms", options->description, "What goes wrong");
  command
      .add_option("--logs", options->logs,
                  "A log that shows it: its last 24 KB are read; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--issue", options->issue, "Issue number, a file with its text, or -");
  command.add_option("--file", options->file, "A file that describes what goes wrong, or -");
  add_build_flags(command, *options);
  return [options](CommandContext& context) { return run_build_command(context, *options); };
}

}  // namespace pedro
