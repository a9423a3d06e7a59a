#include "agent_flags.h"

#include <CLI/CLI.hpp>

namespace pedro {

int run_agent(CommandContext& context, const TaskOptions& options,
              const std::function<Result<int>()>& run) {
  context.global.format = options.format;
  context.global.mode = options.mode;
  context.global.metrics_file = options.metrics_file;
  return exit_code(run(), context.cancel);
}

void add_agent_flags(CLI::App& command, TaskOptions& options) {
  command.add_option("--workdir", options.workdir, "Project folder (default: around the current)");
  command
      .add_option("--max-rounds", options.max_rounds, "Inferences in the whole job, 1 to 100000")
      ->check(CLI::Range(1, 100000));
  command.add_option("--format", options.format,
                     "How the model writes: a name of `pedrocli format list`");
  command.add_option("--mode", options.mode,
                     "What holds replies: grammar, schema, hybrid or unconstrained");
  command.add_option("--metrics-file", options.metrics_file,
                     "Keep what the job takes in this file, as Prometheus reads it");
  command.add_flag(
      "--dry-run", options.dry_run,
      "Show what would be done and the first prompt; with -format as that family\nhas it, else as "
      "for a model without tools of its own");
}

void add_read_flags(CLI::App& command, ReadOptions& options) {
  add_agent_flags(command, options);
  command.add_option("--resume", options.resume,
                     "Go on with this job, given the same: phases that ended are not done again");
}

void add_build_flags(CLI::App& command, BuildOptions& options) {
  command.add_option("--branch", options.branch, "Name of the new branch");
  command.add_option("--base", options.base, "Start from this branch or commit (default: HEAD)");
  command.add_option("--test-cmd", options.test_cmd, "A command that must pass; may be repeated")
      ->allow_extra_args(false);  // else "[ -f x ]" would be taken for a list
  add_agent_flags(command, options);
  command.add_flag("--push", options.push, "Push the branch and open a draft pull request");
  command.add_flag("--no-commit", options.no_commit, "Leave the changes uncommitted; no branch");
  command.add_flag("--allow-net", options.allow_net, "Let commands and checks use the network");
  command.add_flag("--allow-dirty", options.allow_dirty, "Work on top of uncommitted changes");
}

}  // namespace pedro
