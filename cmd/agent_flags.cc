#include "agent_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <map>
#include <string>

namespace pedro {
namespace {

// Replaces CLI::PositiveNumber, whose message has six hundred digits.
std::string more_than_zero(const std::string& text) {
  double value = 0;
  const bool is_number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
  return is_number && value > 0 ? "" : fmt::format("expected more than 0, got {}", text);
}

}  // namespace

int run_agent(CommandContext& context, const TaskOptions& options,
              const std::function<Result<int>()>& run) {
  context.global.format = options.format;
  context.global.mode = options.mode;
  context.global.no_grounding = options.no_grounding;
  context.global.metrics_file = options.metrics_file;
  context.global.images = options.images;
  return exit_code(run(), context.cancel);
}

void add_limit_flags(CLI::App& command, LimitOptions& options) {
  command
      .add_option("--max-rounds", options.max_rounds, "Inferences in the whole job, 1 to 100000")
      ->check(CLI::Range(1, 100000));
  command
      .add_option("--max-tokens", options.max_tokens,
                  "Tokens evaluated and generated in the whole job")
      ->check(CLI::Range(1LL, 1'000'000'000'000LL));
  command.add_option("--max-cost", options.max_cost, "US dollars, at the model's price")
      ->check(more_than_zero);
  const std::map<std::string, long long> units = {{"s", 1}, {"m", 60}, {"h", 3600}};
  command.add_option("--max-time", options.max_time_s, "How long the job may take: 90s, 30m, 2h")
      ->transform(CLI::AsNumberWithUnit(units, CLI::AsNumberWithUnit::UNIT_REQUIRED))
      ->check(more_than_zero);
}

void add_agent_flags(CLI::App& command, TaskOptions& options) {
  command.add_option("--workdir", options.workdir,
                     "Project folder (default: around the current folder)");
  add_limit_flags(command, options);
  command.add_option("--format", options.format,
                     "The model's format: a name from `pedrocli format list`");
  command.add_option("--mode", options.mode,
                     "Constraint on replies: grammar, schema, hybrid or unconstrained");
  command.add_flag("--no-grounding", options.no_grounding,
                   "Allow every call of a phase in every round, whatever the state of the job");
  command.add_option("--metrics-file", options.metrics_file,
                     "Write the job's metrics to this file, in Prometheus format");
  command.add_flag("--dry-run", options.dry_run,
                   "Show the plan and the first prompt; with -format in that format,\n"
                   "else as for a model without native tools");
}

void add_image_flag(CLI::App& command, TaskOptions& options) {
  command
      .add_option("--image", options.images,
                  "A picture (PNG, JPEG, GIF, WebP) that belongs to the task; may be repeated")
      ->allow_extra_args(false);
}

void add_read_flags(CLI::App& command, ReadOptions& options) {
  add_agent_flags(command, options);
  command.add_option("--resume", options.resume,
                     "Resume this job with the same input: completed phases are not repeated");
}

void add_build_flags(CLI::App& command, BuildOptions& options) {
  command.add_option("--branch", options.branch, "Name of the new branch");
  command.add_option("--base", options.base, "Start from this branch or commit (default: HEAD)");
  command.add_option("--test-cmd", options.test_cmd, "A command that must pass; may be repeated")
      ->allow_extra_args(false);  // otherwise CLI11 parses "[ -f x ]" as a list
  add_agent_flags(command, options);
  add_image_flag(command, options);
  command.add_flag("--push", options.push, "Push the branch and open a draft pull request");
  command.add_flag("--no-commit", options.no_commit, "Leave the changes uncommitted; no branch");
  command.add_flag("--allow-net", options.allow_net, "Let commands and checks use the network");
  command.add_flag("--allow-dirty", options.allow_dirty, "Work on top of uncommitted changes");
  command.add_flag("--worktree", options.worktree,
                   "Work in a separate work tree, so that jobs never conflict");
  command.add_option("--until", options.until,
                     "Stop after this phase, such as plan; `resume` continues");
  command.add_option("--resume", options.resume,
                     "Resume this stopped job, as `pedrocli resume` does");
}

}  // namespace pedro
