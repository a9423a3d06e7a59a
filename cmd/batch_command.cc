#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "batch_file.h"
#include "batch_run.h"
#include "command.h"
#include "find_server.h"
#include "job/batch_lease.h"
#include "job/batch_state.h"
#include "llm/llama_client.h"
#include "llm/server_pool.h"
#include "model_factory.h"
#include "sys/terminal.h"
#include "sys/url.h"

namespace pedro {
namespace {

// The model servers of a batch: those of -model-url and of its lines, else the configured one.
class BatchServers {
 public:
  // Maximum of tasks at once.
  static constexpr int kMaxJobs = 64;

  // `urls`: those of -model-url. `jobs`: the value of -jobs; 0: the number of the servers' slots.
  // Borrows `context` for the life of the pool. Errors: an invalid address; no server answers.
  static Result<std::unique_ptr<BatchServers>> open(CommandContext& context,
                                                    const std::vector<std::string>& urls,
                                                    const std::vector<BatchTask>& tasks, int jobs);

  ServerPool& pool() { return *pool_; }
  // Describes the number of tasks at once on the ready servers: "5 at once on 2 of 3 servers".
  std::string summary() const;
  // Returns the limit of tasks at once, also when more servers answer later.
  int max_at_once() const { return jobs_ > 0 ? jobs_ : kMaxJobs; }

 private:
  explicit BatchServers(int jobs) : jobs_(jobs) {}

  int jobs_;
  CurlHttp http_;
  std::string api_key_;
  std::unique_ptr<ServerPool> pool_;
};

// Returns the number of requests that the configured server processes concurrently.
Result<int> slots_of_server(CommandContext& context) {
  if (!context.global.replay.empty()) return 1;
  PEDRO_TRY(LoadedConfig config, load_project_config(context));
  PEDRO_RETURN_IF_ERROR(find_server(context, config, ServerKinds::kAll));
  if (config.config.model.type != "llamacpp") return 1;
  PEDRO_TRY(const Trace trace, make_trace(context.global));
  GenerateEvents events;
  PEDRO_TRY(ServerOptions settings, client_options(context, config, trace, events));
  CurlHttp http;
  LlamaClient client(http, std::move(settings), context.cancel);
  PEDRO_RETURN_IF_ERROR(client.wait_until_ready());
  PEDRO_TRY(const Json props, client.props());
  return static_cast<int>(
      std::clamp(number_of(props, "total_slots", 1), 1LL, 1LL * BatchServers::kMaxJobs));
}

Result<std::unique_ptr<BatchServers>> BatchServers::open(CommandContext& context,
                                                         const std::vector<std::string>& urls,
                                                         const std::vector<BatchTask>& tasks,
                                                         int jobs) {
  for (const std::string& url : urls) {
    if (Status good = check_url(url); !good)
      return usage_error(good.error().at("-model-url").message);
  }
  std::unique_ptr<BatchServers> servers(new BatchServers(jobs));
  std::vector<std::string> shared = urls;
  std::vector<std::string> named;
  for (const BatchTask& task : tasks) {
    if (!task.server.empty()) {
      named.push_back(task.server);
    } else if (shared.empty()) {
      shared.emplace_back();  // the configured server
    }
  }
  int configured = jobs;
  if (urls.empty() && !shared.empty() && jobs == 0) {
    PEDRO_TRY(configured, slots_of_server(context));
    servers->jobs_ = named.empty() ? configured : 0;
  }
  if (!urls.empty() || !named.empty()) {
    PEDRO_TRY(const LoadedConfig config, load_project_config(context));
    PEDRO_TRY(const Trace trace, make_trace(context.global));
    GenerateEvents events;
    PEDRO_TRY(ServerOptions settings, client_options(context, config, trace, events));
    servers->api_key_ = std::move(settings.api_key);
  }
  const int per_server =
      urls.empty() ? 1 : (jobs + static_cast<int>(urls.size()) - 1) / static_cast<int>(urls.size());
  BatchServers* const self = servers.get();
  const auto look = [self, configured, &context](const std::string& url) {
    if (url.empty()) return ServerLook{.answers = true, .slots = configured};
    return look_at_server(self->http_, url, self->api_key_, context.cancel);
  };
  servers->pool_ = std::make_unique<ServerPool>(shared, named, per_server, look, context.clock);
  if (servers->pool_->size() > 0 && servers->pool_->answering() == 0) {
    return Error{ErrorKind::kModel,
                 fmt::format("no server answers at {}{}; start it, or give another -model-url",
                             servers->pool_->name(0),
                             servers->pool_->size() > 1 ? " or the other addresses" : "")};
  }
  return servers;
}

std::string BatchServers::summary() const {
  const int slots = std::min(max_at_once(), pool_->capacity());
  if (slots == 0) return "waiting until a server is ready";
  const std::string at_once = fmt::format("{} at once", slots);
  if (pool_->size() == 1) return at_once;
  return at_once + fmt::format(" on {} of {} servers", pool_->answering(), pool_->size());
}

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
