#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <map>
#include <memory>

#include "batch_file.h"
#include "batch_report.h"
#include "batch_run.h"
#include "batch_servers.h"
#include "command.h"
#include "job/batch_lease.h"
#include "job/batch_state.h"
#include "sys/terminal.h"

namespace pedro {
namespace {

constexpr long long kMaxGraceS = 3600;

struct BatchOptions {
  std::string file;
  std::string state;
  std::vector<std::string> model_urls;
  int jobs = 0;  // 0: number of the server's slots
  std::string shard;
  long long grace_s = 60;
  bool merge = false;
  std::string junit;
  std::string html;
};

Status check_flags(const CommandContext& context) {
  if (context.global.backend == "manual") {
    return usage_error("-backend manual: you cannot reply to several jobs at once");
  }
  if (!context.global.record.empty()) {
    return usage_error("-record: several jobs would write one recording; record a single job");
  }
  return {};
}

Status write_files(CommandContext& context, const BatchOptions& options,
                   const BatchReport& report) {
  const auto write = [&](const char* flag, const std::string& path, const std::string& text) {
    const Status written = context.files.write_atomic(path, text, 0644);
    return written ? written : Status(written.error().at(flag));
  };
  if (!options.junit.empty()) {
    PEDRO_RETURN_IF_ERROR(write("-junit", options.junit, to_junit(report)));
  }
  if (!options.html.empty()) {
    PEDRO_RETURN_IF_ERROR(write("-html", options.html, to_page(report)));
  }
  return {};
}

Result<int> finish(CommandContext& context, const BatchOptions& options,
                   const BatchReport& report) {
  print(context.global.json ? to_json_lines(report) : to_table(report));
  PEDRO_RETURN_IF_ERROR(write_files(context, options, report));
  return report.succeeded() == report.outcomes.size() ? kExitDone : kExitNo;
}

// Reads the state files of all shards, also while they run.
Result<int> merge(CommandContext& context, const BatchOptions& options,
                  const std::vector<BatchTask>& tasks, const std::string& base) {
  PEDRO_TRY(const int count, shards_of_states(context.files, base));
  if (count == 0) return usage_error(base + ": no batch or shard has a state there");
  BatchReport report{
      options.file, count == 1 ? base : fmt::format("{}.*, {} shards", base, count), {}};
  for (const BatchTask& task : tasks) report.outcomes.push_back({.task = &task});
  for (int index = 0; index < count; ++index) {
    const BatchShard shard{index, count};
    const std::string path = shard.state_path(base);
    if (context.files.info(path).kind == FileKind::kMissing) {
      print_note(context.global, path + ": missing, so this shard has not begun");
      continue;
    }
    PEDRO_TRY(const TaskRecords records, read_task_records(context.files, path));
    for (TaskOutcome& outcome : report.outcomes) {
      const auto found = records.find(outcome.task->key);
      if (found == records.end() || !shard.has(outcome.task->key)) continue;
      outcome.record = found->second;
      outcome.run = outcome.known = outcome.record.ended;
    }
  }
  return finish(context, options, report);
}

// Refuses to begin a second division: a task could then run in both.
Status check_division(CommandContext& context, const BatchShard& shard, const std::string& base) {
  PEDRO_TRY(const int count, shards_of_states(context.files, base));
  if (count == 0 || count == shard.count) return {};
  return usage_error(
      fmt::format("{}: its state is of {} shards, not {}; give -shard I/{}, or another -state",
                  base, count, shard.count, count));
}

// Returns true if SIGTERM stopped the batch before all its tasks reached a final result.
bool must_begin_again(const CommandContext& context, const BatchReport& report) {
  return context.cancel.signal() == SIGTERM &&
         std::any_of(report.outcomes.begin(), report.outcomes.end(),
                     [](const TaskOutcome& one) { return !one.known || !is_settled(one.record); });
}

Result<int> run(CommandContext& context, const BatchOptions& options) {
  PEDRO_RETURN_IF_ERROR(check_flags(context));
  PEDRO_TRY(std::vector<BatchTask> tasks, read_batch(context, options.file));
  const std::string base = options.state.empty() ? options.file + ".state" : options.state;
  if (options.merge) return merge(context, options, tasks, base);
  PEDRO_TRY(const BatchShard shard, choose_shard(options.shard, context.environment));
  PEDRO_RETURN_IF_ERROR(check_division(context, shard, base));
  const std::size_t all = tasks.size();
  std::erase_if(tasks, [&shard](const BatchTask& task) { return !shard.has(task.key); });
  const std::string path = shard.state_path(base);
  PEDRO_TRY(LockedFile file, LockedFile::open(path));
  PEDRO_RETURN_IF_ERROR(check_division(context, shard, base));  // another batch may have begun
  const auto note = [&context](std::string_view message) { print_note(context.global, message); };
  PEDRO_TRY(
      const std::unique_ptr<BatchLease> lease,
      BatchLease::take(context.files, context.clock, context.cancel, path, host_name(), note));
  ignore_stop_signals();  // a stopped process would lose the lease while its jobs go on
  PEDRO_TRY(BatchState state, BatchState::read(context.clock, std::move(file), path));
  PEDRO_TRY(const std::unique_ptr<BatchServers> servers,
            BatchServers::open(context, options.model_urls, tasks, options.jobs));
  if (!shard.source.empty()) {
    print_note(context.global, fmt::format("shard {}/{}, from {}: {} of {} tasks", shard.index,
                                           shard.count, shard.source, tasks.size(), all));
  }
  print_note(context.global, fmt::format("{} tasks, {}", tasks.size(), servers->summary()));
  BatchRun batch(context, tasks, state, *lease, servers->pool(),
                 {static_cast<std::size_t>(servers->max_at_once()), options.grace_s * 1000});
  PEDRO_TRY(std::vector<TaskOutcome> outcomes, batch.run());
  const BatchReport report{options.file, path, std::move(outcomes)};
  PEDRO_TRY(const int code, finish(context, options, report));
  if (must_begin_again(context, report)) return kExitAgain;
  if (context.cancel.cancelled()) return kExitSignal + context.cancel.signal();
  return code;
}

// SIGTERM before the first task.
int code_of(const Result<int>& code, const CancelToken& cancel) {
  const int known = exit_code(code, cancel);
  return !code && cancel.signal() == SIGTERM ? int{kExitAgain} : known;
}

constexpr const char* kBatchNotes =
    "Each line is a JSON object: \"agent\" (build, debug, triage, review, blog or one of\n"
    ".pedro/agents; default: build), and the flags of that command:\n"
    "  {\"issue\": 32}\n"
    "  {\"agent\": \"debug\", \"symptoms\": \"the list is empty\", \"max-rounds\": 60}\n"
    "FILE.state records finished tasks; when run again, the batch continues with the rest.\n"
    "After SIGTERM with tasks left, the exit code is 75: begin again.\n"
    "Without -shard, a Slurm array (SLURM_ARRAY_TASK_ID) or a Kubernetes Indexed Job\n"
    "(JOB_COMPLETION_INDEX, JOB_COMPLETIONS) decides. Each shard has a state FILE.state.I-of-N.\n";

}  // namespace

CommandFunction add_batch_command(CLI::App& command) {
  auto options = std::make_shared<BatchOptions>();
  command.add_option("file", options->file, "Tasks, one per line")->required();
  command
      .add_option("--jobs", options->jobs,
                  "Tasks at once (default: the server's slots; 1 if unknown)")
      ->check(CLI::Range(1, BatchServers::kMaxJobs));
  command.add_option("--state", options->state, "Where results are recorded (default: FILE.state)");
  command
      .add_option("--model-url", options->model_urls,
                  "Address of a model's server; repeat it for several, whose slots add up")
      ->take_all()
      ->expected(1);
  command.add_option("--shard", options->shard,
                     "Run only this part, I/N with I from 0, as one of N processes");
  const std::map<std::string, long long> units = {{"s", 1}, {"m", 60}};
  command
      .add_option("--grace", options->grace_s,
                  "Time for jobs to commit their work after a signal: 25s, 2m (default: 60s)")
      ->transform(CLI::AsNumberWithUnit(units, CLI::AsNumberWithUnit::UNIT_REQUIRED))
      ->check(CLI::Range(1LL, kMaxGraceS));
  command.add_flag("--merge", options->merge, "Run nothing; report on all shards")
      ->excludes("--shard");
  command.add_option("--junit", options->junit, "Write the results to this file, as JUnit XML");
  command.add_option("--html", options->html, "Write the results to this file, as a page");
  command.footer(kBatchNotes);
  return [options](CommandContext& context) {
    return code_of(run(context, *options), context.cancel);
  };
}

}  // namespace pedro
