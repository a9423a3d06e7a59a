#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/json.h"
#include "batch_file.h"
#include "batch_run.h"
#include "command.h"
#include "find_server.h"
#include "llm/llama_client.h"
#include "model_factory.h"

namespace pedro {
namespace {

constexpr int kMaxJobs = 64;

struct BatchOptions {
  std::string file;
  std::string state;
  int jobs = 0;  // 0: number of the server's slots
};

/// Returns the number of requests that the server processes concurrently.
Result<int> slots_of_server(CommandContext& context) {
  if (!context.global.replay.empty()) return 1;
  PEDRO_TRY(const std::string folder, find_project(context, ""));
  PEDRO_TRY(LoadedConfig config, load_command_config(context, folder));
  PEDRO_RETURN_IF_ERROR(find_server(context, config, ServerKinds::kAll));
  if (config.config.model.type != "llamacpp") return 1;
  PEDRO_TRY(const Trace trace, make_trace(context.global));
  GenerateEvents events;
  PEDRO_TRY(ServerOptions settings, client_options(context, config, trace, events));
  CurlHttp http;
  LlamaClient client(http, std::move(settings), context.cancel);
  PEDRO_RETURN_IF_ERROR(client.wait_until_ready());
  PEDRO_TRY(const Json props, client.props());
  return static_cast<int>(std::clamp(number_of(props, "total_slots", 1), 1LL, 1LL * kMaxJobs));
}

Status check_flags(const CommandContext& context) {
  if (context.global.backend == "manual") {
    return usage_error("-backend manual: you cannot reply to several jobs at once");
  }
  if (!context.global.record.empty()) {
    return usage_error("-record: several jobs would write one recording; record a single job");
  }
  return {};
}

bool succeeded(const TaskOutcome& outcome) {
  return outcome.known && outcome.record.exit_code == kExitDone;
}

struct Sums {
  std::size_t tasks = 0;
  std::size_t succeeded = 0;
  std::size_t failed = 0;
  std::size_t not_run = 0;
};

Sums sums_of(const std::vector<TaskOutcome>& outcomes) {
  Sums sums;
  for (const TaskOutcome& outcome : outcomes) {
    ++sums.tasks;
    ++(succeeded(outcome) ? sums.succeeded : outcome.known ? sums.failed : sums.not_run);
  }
  return sums;
}

std::string time_text(double seconds) {
  const auto whole = static_cast<long long>(seconds + 0.5);
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{}:{:02} min", whole / 60, whole % 60);
}

std::string row(const TaskOutcome& outcome) {
  const TaskRecord& record = outcome.record;
  const std::string end = !outcome.known ? "not run"
                          : outcome.run  ? record.outcome
                                         : record.outcome + " (before)";
  std::string text =
      fmt::format("{:>5}  {:<8}  {:<20}  {:>4}  {:>10}  {}", outcome.task->line,
                  outcome.task->agent, end, outcome.known ? std::to_string(record.exit_code) : "-",
                  outcome.known ? time_text(record.duration_s) : "-",
                  outcome.known && !record.job.empty() ? record.job : outcome.task->title);
  if (outcome.known && !record.branch.empty()) text += "  " + record.branch;
  text += '\n';
  if (outcome.known && !record.error.empty()) text += fmt::format("{:>7}{}\n", "", record.error);
  return text;
}

std::string in_text(const std::vector<TaskOutcome>& outcomes, const std::string& state) {
  std::string text = fmt::format("{:>5}  {:<8}  {:<20}  {:>4}  {:>10}  {}\n", "line", "agent",
                                 "end", "exit", "time", "job");
  for (const TaskOutcome& outcome : outcomes) text += row(outcome);
  const Sums sums = sums_of(outcomes);
  return text + fmt::format("{} tasks: {} succeeded, {} did not, {} not run; recorded in {}\n",
                            sums.tasks, sums.succeeded, sums.failed, sums.not_run, state);
}

std::string in_json(const std::vector<TaskOutcome>& outcomes, const std::string& state) {
  std::string text;
  for (const TaskOutcome& outcome : outcomes) {
    Json line = {{"type", "batch.task"},
                 {"line", outcome.task->line},
                 {"agent", outcome.task->agent},
                 {"run", outcome.run}};
    if (outcome.known) {
      const TaskRecord& record = outcome.record;
      line.update({{"job", record.job},
                   {"outcome", record.outcome},
                   {"exit_code", record.exit_code},
                   {"branch", record.branch},
                   {"error", record.error},
                   {"duration_s", record.duration_s}});
    }
    text += to_line(line) + "\n";
  }
  const Sums sums = sums_of(outcomes);
  return text +
         to_line({{"type", "batch.completed"},
                  {"tasks", sums.tasks},
                  {"succeeded", sums.succeeded},
                  {"failed", sums.failed},
                  {"not_run", sums.not_run},
                  {"state", state}}) +
         "\n";
}

Result<int> run(CommandContext& context, const BatchOptions& options) {
  PEDRO_RETURN_IF_ERROR(check_flags(context));
  PEDRO_TRY(const std::vector<BatchTask> tasks, read_batch(context, options.file));
  const std::string path = options.state.empty() ? options.file + ".state" : options.state;
  PEDRO_TRY(BatchState state, BatchState::open(context.clock, path));
  PEDRO_TRY(const int jobs,
            options.jobs > 0 ? Result<int>(options.jobs) : slots_of_server(context));
  print_note(context.global, fmt::format("{} tasks, {} at once", tasks.size(), jobs));
  BatchRun batch(context, tasks, state, static_cast<std::size_t>(jobs));
  PEDRO_TRY(const std::vector<TaskOutcome> outcomes, batch.run());
  print(context.global.json ? in_json(outcomes, path) : in_text(outcomes, path));
  if (context.cancel.cancelled()) return kExitSignal + context.cancel.signal();
  return sums_of(outcomes).succeeded == tasks.size() ? kExitDone : kExitNo;
}

constexpr const char* kBatchNotes =
    "Each line is a JSON object: \"agent\" (build, debug, triage, review, blog or one of\n"
    ".pedro/agents; default: build), and the flags of that command:\n"
    "  {\"issue\": 32}\n"
    "  {\"agent\": \"debug\", \"symptoms\": \"the list is empty\", \"max-rounds\": 60}\n"
    "FILE.state records finished tasks; when run again, the batch continues with the rest.\n";

}  // namespace

CommandFunction add_batch_command(CLI::App& command) {
  auto options = std::make_shared<BatchOptions>();
  command.add_option("file", options->file, "Tasks, one per line")->required();
  command
      .add_option("--jobs", options->jobs,
                  "Tasks at once (default: the server's slots; 1 if unknown)")
      ->check(CLI::Range(1, kMaxJobs));
  command.add_option("--state", options->state, "Where results are recorded (default: FILE.state)");
  command.footer(kBatchNotes);
  return [options](CommandContext& context) {
    return exit_code(run(context, *options), context.cancel);
  };
}

}  // namespace pedro
