#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "eval/alone.h"
#include "eval/attempt_record.h"
#include "eval/attempt_summary.h"
#include "eval/bench_task.h"
#include "eval/eval_page.h"
#include "eval/task_bench.h"
#include "eval_command.h"
#include "model_factory.h"
#include "sandbox_setup.h"
#include "status_line.h"
#include "sys/child_program.h"
#include "sys/scratch_folder.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

// The result of work on a task.
struct TaskWork {
  std::string branch;  // the delivered branch; nothing was delivered if it is "" or missing
  std::string model;   // for AttemptHeader, like the next two
  std::string backend;
  std::string format;
};

// Progress callbacks of a solver.
struct SolverEvents {
  std::function<void()> on_tick;                      // several times per second
  std::function<void(std::string_view line)> on_log;  // a line of the attempt's log
};

constexpr int kTickMs = 200;
constexpr std::size_t kMaxMessageBytes = 500;

ErrorKind kind_of_exit(int code) {
  if (code == kExitConfig) return ErrorKind::kConfig;
  if (code == kExitModel) return ErrorKind::kModel;
  return ErrorKind::kUsage;
}

// Solves tasks with this program's `build` command, one process per task.
class AgentSolver {
 public:
  // `args`: for `build`, after those of every task.
  AgentSolver(CommandContext& context, std::vector<std::string> args, long long timeout_s)
      : context_(context), args_(std::move(args)), timeout_s_(timeout_s) {}

  // Solves one task and fills in the figures of the job's journal. Errors: no job started (with
  // its message); kInterrupted.
  Result<TaskWork> solve(const BenchTask& task, TaskBench& bench, TaskAttempt& attempt,
                         const SolverEvents& events) {
    const long long started_ms = context_.clock.now_ms();
    PEDRO_TRY(const bool in_time, run(command_of(task, bench), bench, attempt, events));
    const JobStore store(context_.files, join_path(bench.state(), "pedrocli"));
    const auto ids = store.ids();
    AttemptJournal journal;
    if (ids && !ids->empty()) {
      auto read = read_attempt_journal(context_.files, store.journal_path(ids->front()));
      if (read) journal = *std::move(read);
    }
    const JobFigures& job = journal.job();
    if (job.id.empty()) {
      return Error{kind_of_exit(attempt.exit_code),
                   fmt::format("{}: build ended with exit code {} before its job began: {}",
                               task.name, attempt.exit_code, last_error_)};
    }
    journal.fill(attempt, started_ms);
    attempt.verified = attempt.exit_code == kExitDone;
    if (!in_time) attempt.outcome = "timeout";
    if (attempt.outcome.empty()) attempt.outcome = "died";
    return TaskWork{journal.branch(), job.model, job.backend, job.format};
  }

 private:
  // Passes the task's check with -test-cmd, like a user.
  std::vector<std::string> command_of(const BenchTask& task, const TaskBench& bench) const {
    std::vector<std::string> argv = {this_program(), "build",       "-workdir",  bench.repository(),
                                     "-issue",       bench.issue(), "-test-cmd", task.check};
    const std::vector<std::string> flags = passed_on(context_.global);
    argv.insert(argv.end(), flags.begin(), flags.end());
    argv.insert(argv.end(), args_.begin(), args_.end());
    return argv;
  }

  // Returns true if the job ended in time. A job that is asked to end commits its work.
  Result<bool> run(const std::vector<std::string>& argv, const TaskBench& bench,
                   TaskAttempt& attempt, const SolverEvents& events) {
    last_error_.clear();
    const auto hear = [&](StandardStream, std::string_view line) {
      if (line.starts_with("pedrocli: ") && !line.starts_with("pedrocli: warning")) {
        last_error_ = make_printable(truncate_utf8(line.substr(10), kMaxMessageBytes));
      }
      events.on_log(line);
    };
    PEDRO_TRY(auto program, ChildProgram::start(argv, hear, {{"XDG_STATE_HOME", bench.state()}}));
    const long long end_ms = context_.clock.ticks_ms() + timeout_s_ * 1000;
    bool in_time = true;
    while (!program->exit_code()) {
      ChildProgram::wait({program.get()}, kTickMs);
      events.on_tick();
      const bool late = context_.clock.ticks_ms() >= end_ms;
      if (!program->is_stopping()) in_time = !late;
      if (late || context_.cancel.cancelled()) program->stop(context_.clock, kCommitGrace_ms);
    }
    attempt.exit_code = *program->exit_code();
    if (context_.cancel.cancelled()) return Error{ErrorKind::kInterrupted, "interrupted"};
    return in_time;
  }

  CommandContext& context_;
  std::vector<std::string> args_;
  long long timeout_s_;
  std::string last_error_;
};

// Requests the complete answer from the model, once.
class AloneSolver {
 public:
  // Opens the model of `config`. Borrows the reference arguments.
  static Result<std::unique_ptr<AloneSolver>> open(CommandContext& context,
                                                   const LoadedConfig& config,
                                                   ServerConnections& connections,
                                                   long long timeout_s) {
    std::unique_ptr<AloneSolver> solver(new AloneSolver(context, timeout_s));
    GenerateEvents events;
    const auto tick = [solver = solver.get()] {
      if (solver->on_tick_) solver->on_tick_();
    };
    events.on_prefill = [tick](long long, long long) { tick(); };
    events.on_text = [tick](std::string_view, long long) { tick(); };
    PEDRO_TRY(solver->model_, make_model(context, solver->cancel_, config, Trace(),
                                         std::move(events), connections));
    PEDRO_TRY(solver->info_, solver->model_->open());
    PEDRO_TRY(const PromptLibrary library, PromptLibrary::open(context.files, ""));
    PEDRO_TRY(solver->alone_,
              AloneModel::make(library, *solver->model_, config.config.model.max_tokens));
    return solver;
  }

  // Solves one task. A prompt that does not fit, an answer without a file and a timeout are
  // outcomes. Errors: those of the model; kInterrupted.
  Result<TaskWork> solve(const BenchTask& task, TaskBench& bench, TaskAttempt& attempt,
                         const SolverEvents& events) {
    on_tick_ = events.on_tick;
    cancel_.end_at(context_.clock.ticks_ms() + timeout_s_ * 1000);
    const Result<AloneModel::Answer> answer = alone_->ask(context_.files, task, bench);
    on_tick_ = nullptr;
    const TaskWork work{TaskBench::kBranch, info_.name, info_.backend, info_.format};
    if (answer) {
      events.on_log(answer->prompt + "\n--- the answer\n" + answer->reply.text);
      const Status taken = take(*answer, bench, attempt);
      return taken ? Result<TaskWork>(work) : taken.error();
    }
    const ErrorKind kind = answer.error().kind;
    const bool late = kind == ErrorKind::kInterrupted && cancel_.signal() == 0;
    if (!late && kind != ErrorKind::kLimit) return answer.error();
    events.on_log(answer.error().message);
    attempt.outcome = late ? "timeout" : "limit";
    return work;
  }

 private:
  AloneSolver(CommandContext& context, long long timeout_s)
      : context_(context), cancel_(context.cancel, context.clock), timeout_s_(timeout_s) {}

  Status take(const AloneModel::Answer& answer, TaskBench& bench, TaskAttempt& attempt) {
    const Usage& usage = answer.reply.usage;
    attempt.rounds = 1;
    attempt.generated_tokens = usage.generated_tokens;
    attempt.prompt_tokens = usage.prompt_tokens;
    attempt.cached_tokens = usage.cached_tokens;
    attempt.outcome = answer.files.empty()                    ? "no_file"
                      : answer.reply.stop != StopReason::kEnd ? "cut"
                                                              : "answered";
    return bench.commit(answer.files);
  }

  CommandContext& context_;
  CancelToken cancel_;
  long long timeout_s_;
  std::function<void()> on_tick_;
  std::unique_ptr<Model> model_;
  ModelInfo info_;
  std::optional<AloneModel> alone_;
};

constexpr double kJudge_s = 120;

struct TasksOptions {
  std::vector<std::string> words;  // the folder, then all words after "--"
  BenchChoice choice;
  int runs = 1;
  bool alone = false;
  std::string out = "eval-tasks.jsonl";
  std::string html;
  long long timeout_s = 900;
  std::string label;
  bool keep = false;

  std::string folder = "bench/tasks";
  std::vector<std::string> args;  // for the agent
};

// Passes all words after "--" to the agent.
Status split_words(const std::vector<std::string>& given, TasksOptions& options) {
  const auto dashes = std::find(given.begin(), given.end(), "--");
  const auto count = dashes == given.end() ? 0 : given.end() - dashes - 1;
  const auto named = static_cast<std::ptrdiff_t>(options.words.size()) - count;
  if (named > 1) return usage_error("expected one folder of tasks, got " + options.words[1]);
  if (named == 1) options.folder = options.words.front();
  options.args.assign(options.words.begin() + std::max<std::ptrdiff_t>(0, named),
                      options.words.end());
  if (!options.alone || options.args.empty()) return {};
  return usage_error("-alone asks the model itself: give its flags before the --");
}

// Shows the elapsed seconds on a terminal while an attempt runs.
class ElapsedLine {
 public:
  ElapsedLine(const CommandContext& context, std::string text)
      : context_(context),
        text_(std::move(text)),
        line_(context.global),
        began_ms_(context.clock.ticks_ms()) {}

  double seconds() const {
    return static_cast<double>(context_.clock.ticks_ms() - began_ms_) / 1000;
  }
  void show() { line_.tick(fmt::format("{} {} s", text_, static_cast<long long>(seconds()))); }

 private:
  const CommandContext& context_;
  std::string text_;
  StatusLine line_;
  long long began_ms_;
};

using Solve = std::function<Result<TaskWork>(const BenchTask&, TaskBench&, TaskAttempt&,
                                             const SolverEvents&)>;

// Runs tasks in sequence and records each completed one.
class TaskEvaluation {
 public:
  TaskEvaluation(CommandContext& context, const TasksOptions& options, const Config& config,
                 std::vector<BenchTask> tasks, Solve solve)
      : context_(context),
        options_(options),
        config_(config),
        tasks_(std::move(tasks)),
        solve_(std::move(solve)) {}

  Result<int> run() {
    PEDRO_TRY(const std::string hash, hash_of_tasks(context_.files, tasks_));
    AttemptHeader& header = record_.header;
    header.agent = options_.alone ? "alone" : "build";
    header.label = options_.label;
    header.tasks = hash;
    header.args = join(options_.args, " ");
    header.version = PEDROCLI_VERSION;
    PEDRO_RETURN_IF_ERROR(open_record());
    const int all = static_cast<int>(tasks_.size()) * options_.runs;
    int number = 0;
    for (int run = 1; run <= options_.runs; ++run) {
      for (const BenchTask& task : tasks_) {
        const std::string place =
            fmt::format("[{:>{}}/{}] {}:", ++number, std::to_string(all).size(), all, task.name);
        PEDRO_RETURN_IF_ERROR(visit(task, run, place));
      }
    }
    return show();
  }

 private:
  Status visit(const BenchTask& task, int run, const std::string& place) {
    if (record_.find(task.name, run) != nullptr) return {};
    for (const std::string& program : task.needs) {
      if (!context_.processes.find(program).empty()) continue;
      ++skipped_;
      print_note(context_.global, fmt::format("{} skipped: {} is missing", place, program));
      return {};
    }
    PEDRO_TRY(const TaskAttempt attempt, try_task(task, run, place));
    record_.attempts.push_back(attempt);
    const auto solved = std::count_if(record_.attempts.begin(), record_.attempts.end(),
                                      [](const TaskAttempt& one) { return one.solved; });
    print_note(context_.global,
               fmt::format("{} {} ({} solved so far)", place, to_text(attempt), solved));
    return context_.files.append(options_.out, to_line(attempt) + "\n");
  }

  Result<TaskAttempt> try_task(const BenchTask& task, int run, const std::string& place) {
    PEDRO_TRY(ScratchFolder scratch, ScratchFolder::make(context_.environment.get("TMPDIR")));
    const std::string folder = scratch.path();
    if (options_.keep) {
      scratch.keep();
      print_note(context_.global, fmt::format("{} {}", place, folder));
    }
    PEDRO_TRY(TaskBench bench, TaskBench::set_up(tools(folder), task, folder));
    PEDRO_TRY(std::string log, begin_log(task, run));
    TaskAttempt attempt;
    attempt.task = task.name;
    attempt.run = run;
    attempt.kind = task.kind;
    attempt.language = task.language;
    ElapsedLine elapsed(context_, place);
    const SolverEvents events{[&] { elapsed.show(); },
                              [&](std::string_view line) { write_log(log, line); }};
    elapsed.show();
    PEDRO_TRY(const TaskWork work, solve_(task, bench, attempt, events));
    attempt.seconds = elapsed.seconds();
    PEDRO_RETURN_IF_ERROR(check_model(work));
    PEDRO_TRY(const Judgement judgement, bench.judge(work.branch));
    write_log(log, judgement.log);
    attempt.solved = judgement.solved;
    attempt.visible_in_clone = judgement.visible_in_clone;
    return attempt;
  }

  // Runs checks in the sandbox, like an agent.
  TaskBench::Tools tools(const std::string& folder) {
    environment_ = context_.environment;
    environment_.variables["XDG_STATE_HOME"] = join_path(folder, "state");
    return {context_.files, context_.processes, context_.cancel,
            [this](const std::string& clone, const std::string& check) {
              return run_check(clone, check);
            }};
  }

  Result<ProcessResult> run_check(const std::string& clone, const std::string& check) {
    const CommandContext inner{context_.global,    environment_,   context_.files,
                               context_.processes, context_.clock, context_.cancel};
    PEDRO_TRY(Sandbox sandbox, open_sandbox(inner, config_, clone, TreeUse::kRemoved));
    SandboxRunner sandboxed(sandbox);
    Command command{.argv = {"sh", "-c", check}, .folder = clone};
    command.timeout_s = kJudge_s;
    command.merge_streams = true;
    return sandboxed.run(command, context_.cancel);
  }

  Result<std::string> begin_log(const BenchTask& task, int run) const {
    const std::string folder = options_.out + ".logs";
    PEDRO_RETURN_IF_ERROR(context_.files.make_folders(folder, 0755));
    std::string path = join_path(folder, fmt::format("{}-{}.log", task.name, run));
    PEDRO_RETURN_IF_ERROR(context_.files.write_atomic(path, "", 0644));
    return path;
  }

  // Ignores errors: a failure to write the log must not end the measurement.
  void write_log(const std::string& path, std::string_view line) const {
    (void)context_.files.append(path, std::string(line) + "\n");
  }

  // Continues a record with the same header.
  Status open_record() {
    if (context_.files.link_info(options_.out).kind == FileKind::kMissing) return {};
    const Result<std::string> text = context_.files.read(options_.out, kMaxEvalBytes);
    if (!text) return usage_error("-out " + text.error().message);
    Result<AttemptRecord> old = read_attempt_record(options_.out, *text);
    if (!old) return old.error().at("-out");
    AttemptHeader& header = record_.header;
    header.model = old->header.model;
    header.backend = old->header.backend;
    header.format = old->header.format;
    if (old->header != header) return other_record(old->header);
    record_ = *std::move(old);
    return write_record();
  }

  Error other_record(const AttemptHeader& old) const {
    return usage_error(
        fmt::format("-out {}: the record is of another agent, label, task set, version or model "
                    "({}); name another file",
                    options_.out, to_line(old)));
  }

  Status write_record() const {
    std::string whole = to_line(record_.header) + "\n";
    for (const TaskAttempt& attempt : record_.attempts) whole += to_line(attempt) + "\n";
    return context_.files.write_atomic(options_.out, whole, 0644);
  }

  // Takes the model from the first attempt. All others must use the same one.
  Status check_model(const TaskWork& work) {
    AttemptHeader header = record_.header;
    header.model = work.model;
    header.backend = work.backend;
    header.format = work.format;
    if (header == record_.header) return {};
    if (!record_.header.model.empty()) return other_record(record_.header);
    record_.header = std::move(header);
    return write_record();
  }

  Result<int> show() {
    if (skipped_ > 0) print_note(context_.global, fmt::format("{} skipped", skipped_));
    if (record_.attempts.empty()) return static_cast<int>(kExitDone);
    const std::vector<AttemptSummary> summaries = summarize(record_);
    if (!options_.html.empty()) {
      const Status written = context_.files.write_atomic(options_.html, to_page(record_), 0644);
      if (!written) return written.error().at("-html");
    }
    if (context_.global.json) {
      for (const AttemptSummary& one : summaries) print_json(to_json(one));
    } else {
      print(to_table(summaries));
    }
    return static_cast<int>(kExitDone);
  }

  CommandContext& context_;
  const TasksOptions& options_;
  const Config& config_;
  std::vector<BenchTask> tasks_;
  Solve solve_;
  Environment environment_;  // environment of checks
  AttemptRecord record_;
  int skipped_ = 0;
};

Result<int> run_alone(CommandContext& context, const TasksOptions& options,
                      const LoadedConfig& config, std::vector<BenchTask> tasks) {
  PEDRO_TRY(ModelRegistry models, registry_of(config));
  ServerConnections connections(context, std::move(models));
  PEDRO_TRY(const auto solver, AloneSolver::open(context, config, connections, options.timeout_s));
  const Solve solve = [&solver](auto&... given) { return solver->solve(given...); };
  return TaskEvaluation(context, options, config.config, std::move(tasks), solve).run();
}

Result<int> run(CommandContext& context, const TasksOptions& given) {
  TasksOptions options = given;
  PEDRO_RETURN_IF_ERROR(split_words(context.global.args, options));
  PEDRO_TRY(std::vector<BenchTask> tasks,
            load_bench_tasks(context.files, options.folder, options.choice));
  // Loads no project settings: each task is its own project.
  PEDRO_TRY(const LoadedConfig config, load_command_config(context, ""));
  if (options.alone) return run_alone(context, options, config, std::move(tasks));
  AgentSolver solver(context, options.args, options.timeout_s);
  const Solve solve = [&solver](auto&... parts) { return solver.solve(parts...); };
  return TaskEvaluation(context, options, config.config, std::move(tasks), solve).run();
}

}  // namespace

CommandFunction add_eval_tasks(CLI::App& command) {
  auto options = std::make_shared<TasksOptions>();
  command.add_option("folder", options->words,
                     "The folder of the tasks (default: bench/tasks); after --, flags of `build`");
  command.add_option("--set", options->choice.set, "tiny, small or full (default: full)")
      ->check(CLI::IsMember({"tiny", "small", "full"}));
  command.add_option("--task", options->choice.names, "This task; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--runs", options->runs, "Runs of each task (default: 1)")
      ->check(CLI::Range(1, 100000));
  command.add_flag("--alone", options->alone,
                   "Ask the model once for the whole answer, without an agent: the baseline");
  command.add_option("--out", options->out,
                     "The record; an existing one is continued (default: eval-tasks.jsonl)");
  command.add_option("--html", options->html, "Write a page with a chart");
  command.add_option("--timeout", options->timeout_s, "Seconds per task (default: 900)")
      ->check(CLI::Range(1, 1000000));
  command.add_option("--label", options->label, "Name of the configuration, for record and page");
  command.add_flag("--keep", options->keep, "Keep the scratch folders");
  return running(run, options);
}

}  // namespace pedro
