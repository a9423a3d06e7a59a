#include "task_solver.h"

#include <fmt/format.h>

#include <csignal>

#include "base/text.h"
#include "base/utf8.h"
#include "eval/attempt_journal.h"
#include "job/job_store.h"
#include "sys/child_program.h"

namespace pedro {
namespace {

constexpr int kTickMs = 200;
constexpr std::size_t kMaxMessageBytes = 500;

ErrorKind kind_of_exit(int code) {
  if (code == kExitConfig) return ErrorKind::kConfig;
  if (code == kExitModel) return ErrorKind::kModel;
  return ErrorKind::kUsage;
}

}  // namespace

// Passes the task's check with -test-cmd, like a user.
std::vector<std::string> AgentSolver::command_of(const BenchTask& task,
                                                 const TaskBench& bench) const {
  std::vector<std::string> argv = {this_program(), "build",       "-workdir",  bench.repository(),
                                   "-issue",       bench.issue(), "-test-cmd", task.check};
  const std::vector<std::string> flags = passed_on(context_.global);
  argv.insert(argv.end(), flags.begin(), flags.end());
  argv.insert(argv.end(), options_.args.begin(), options_.args.end());
  return argv;
}

// Returns true if the job ended in time. A job that is asked to end commits its work.
Result<bool> AgentSolver::run(const std::vector<std::string>& argv, const TaskBench& bench,
                              TaskAttempt& attempt, const SolverEvents& events) {
  last_error_.clear();
  PEDRO_TRY(auto program,
            ChildProgram::start(
                argv,
                [&](StandardStream, std::string_view line) {
                  if (line.starts_with("pedrocli: ") && !line.starts_with("pedrocli: warning")) {
                    last_error_ = make_printable(truncate_utf8(line.substr(10), kMaxMessageBytes));
                  }
                  events.on_log(line);
                },
                {{"XDG_STATE_HOME", bench.state()}}));
  const long long end_ms = context_.clock.ticks_ms() + options_.timeout_s * 1000;
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

Result<TaskWork> AgentSolver::solve(const BenchTask& task, TaskBench& bench, TaskAttempt& attempt,
                                    const SolverEvents& events) {
  const long long started_ms = context_.clock.now_ms();
  PEDRO_TRY(const bool in_time, run(command_of(task, bench), bench, attempt, events));
  const JobStore store(context_.files, join_path(bench.state(), "pedrocli"));
  const auto ids = store.ids();
  AttemptJournal journal;
  if (ids && !ids->empty()) {
    Result<AttemptJournal> read =
        read_attempt_journal(context_.files, store.journal_path(ids->front()));
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

Result<std::unique_ptr<AloneSolver>> AloneSolver::open(CommandContext& context,
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
  PEDRO_TRY(solver->model_,
            make_model(context, solver->cancel_, config, Trace(), std::move(events), connections));
  PEDRO_TRY(solver->info_, solver->model_->open());
  PEDRO_TRY(const PromptLibrary library, PromptLibrary::open(context.files, ""));
  PEDRO_TRY(solver->alone_,
            AloneModel::make(library, *solver->model_, config.config.model.max_tokens));
  return solver;
}

Status AloneSolver::take(const AloneModel::Answer& answer, TaskBench& bench, TaskAttempt& attempt) {
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

Result<TaskWork> AloneSolver::solve(const BenchTask& task, TaskBench& bench, TaskAttempt& attempt,
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

}  // namespace pedro
