#include "batch_run.h"

#include <fmt/format.h>

#include <csignal>

#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "job/answer_log.h"
#include "job/job_store.h"
#include "sys/sleep.h"

namespace pedro {
namespace {

constexpr int kLookEveryMs = 100;
constexpr long long kEndGraceMs = 60'000;  // time to commit the work
constexpr std::size_t kMaxErrorBytes = 500;
constexpr std::size_t kTypeAt = 80;  // a journal line has its type within these bytes

bool is_about_job(std::string_view line) {
  return line.substr(0, kTypeAt).find(R"("type":"thread.)") != std::string_view::npos;
}

}  // namespace

Result<std::vector<TaskOutcome>> BatchRun::run() {
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    outcomes_.push_back({&tasks_[i]});
    const TaskRecord* const known = state_.find(tasks_[i].key);
    if (known != nullptr) take_over(i, *known);
    if (!outcomes_[i].known || !is_settled(outcomes_[i].record)) waiting_.push_back(i);
  }
  while (!waiting_.empty() || !running_.empty()) {
    if (context_.cancel.cancelled() || !noted_) {
      waiting_.clear();
      end_all();
    }
    while (!waiting_.empty() && running_.size() < max_at_once_ && noted_ &&
           !context_.cancel.cancelled()) {
      const std::size_t next = waiting_.front();
      waiting_.pop_front();
      start(next);
    }
    collect();
  }
  if (!noted_) return noted_.error();
  return std::move(outcomes_);
}

// Reads the result that an earlier run recorded. That run may have been killed while the job
// continued, or a user may have resumed the job since.
void BatchRun::take_over(std::size_t index, const TaskRecord& record) {
  TaskOutcome& outcome = outcomes_[index];
  outcome.record = record;
  outcome.record.line = tasks_[index].line;
  outcome.known = record.ended;
  if (is_settled(record)) return;
  if (!record.ended) wait_for_earlier(outcome.record);
  const Result<JobStore> store = open_job_store(context_);
  if (record.job.empty() || !store) return;
  const Result<JobSummary> job = wait_for_resumed(*store, outcome.record);
  if (!job || job->ended.empty() || (record.ended && job->exit_code == record.exit_code)) return;
  outcome.record.ended = true;
  outcome.record.exit_code = job->exit_code;
  outcome.record.outcome = job->outcome;
  outcome.record.branch = job->branch;
  outcome.known = true;
  note(outcome.record);
}

void BatchRun::wait_for_earlier(const TaskRecord& record) {
  if (!process_alive(record.process)) return;
  tell(record, "is still being stopped by the previous batch; waiting for it");
  while (process_alive(record.process) && !context_.cancel.cancelled()) {
    sleep_unless_cancelled(kLookEveryMs / 1000.0, context_.cancel);
  }
}

Result<JobSummary> BatchRun::wait_for_resumed(const JobStore& store, const TaskRecord& record) {
  Result<JobSummary> job = store.load(record.job);
  if (job && job->state == JobState::kRunning) {
    tell(record, "is being resumed by another process; waiting for it");
  }
  while (job && job->state == JobState::kRunning && !context_.cancel.cancelled()) {
    sleep_unless_cancelled(kLookEveryMs / 1000.0, context_.cancel);
    job = store.load(record.job);
  }
  return job;
}

bool BatchRun::can_go_on(const std::string& job) const {
  const Result<JobStore> store = open_job_store(context_);
  if (job.empty() || !store) return false;
  const Result<JobSummary> summary = store->load(job);
  const bool stopped =
      summary && (summary->state == JobState::kInterrupted || summary->state == JobState::kDied ||
                  summary->state == JobState::kFailed);
  return stopped && AnswerLog::read_start(context_.files, store->folder(job)).ok();
}

// `job`: the job to resume; "": starts the task.
std::vector<std::string> BatchRun::command_of(const BatchTask& task, const std::string& job) const {
  std::vector<std::string> argv = {this_program()};
  if (job.empty()) {
    argv.insert(argv.end(), task.arguments.begin(), task.arguments.end());
  } else {
    argv.insert(argv.end(), {"resume", job});
  }
  argv.emplace_back("--json");
  const std::vector<std::string> flags = passed_on(context_.global);
  argv.insert(argv.end(), flags.begin(), flags.end());
  return argv;
}

void BatchRun::start(std::size_t index) {
  const BatchTask& task = tasks_[index];
  auto running = std::make_unique<Running>();
  running->index = index;
  running->began_ms = context_.clock.ticks_ms();
  running->record = {.key = task.key, .line = task.line, .agent = task.agent};
  const std::string& before = outcomes_[index].record.job;
  running->goes_on = can_go_on(before);
  if (running->goes_on) running->record.job = before;
  if (!before.empty() && !running->goes_on) {
    tell(running->record, fmt::format("starts again: job {} has nothing to resume", before));
  }
  outcomes_[index].run = true;
  Result<std::unique_ptr<ChildProgram>> program = ChildProgram::start(
      command_of(task, running->record.job),
      [this, heard_by = running.get()](StandardStream stream, std::string_view line) {
        hear(*heard_by, stream, line);
      });
  if (!program) {
    running->last_error = program.error().message;
    return finish(*running);
  }
  running->program = *std::move(program);
  running->record.process = running->program->identity();
  note(running->record);
  running_.push_back(std::move(running));
}

void BatchRun::hear(Running& running, StandardStream stream, std::string_view line) {
  TaskRecord& record = running.record;
  if (stream == StandardStream::kError) {
    if (line.starts_with("pedrocli: ") && !line.starts_with("pedrocli: warning")) {
      running.last_error = make_printable(truncate_utf8(line.substr(10), kMaxErrorBytes));
    }
    if (context_.global.verbose) print_error(fmt::format("[{}] {}", record.line, line));
    return;
  }
  if (!is_about_job(line)) return;
  const Result<Json> event = parse_json(line);
  if (!event) return;
  if (text_of(*event, "type") == "thread.started") {
    record.job = make_printable(text_of(*event, "thread_id"));
    note(record);
    tell(record, fmt::format("job {}: {}", record.job, text_of(*event, "task")));
  } else if (text_of(*event, "type") == "thread.completed") {
    record.outcome = make_printable(text_of(*event, "outcome"));
  }
  if (event->contains("branch")) record.branch = make_printable(text_of(*event, "branch"));
}

void BatchRun::collect() {
  if (running_.empty()) return;
  std::vector<ChildProgram*> programs;
  for (const auto& running : running_) programs.push_back(running->program.get());
  ChildProgram::wait(programs, kLookEveryMs);
  for (const auto& running : running_) {
    if (running->program->exit_code()) finish(*running);
  }
  std::erase_if(running_, [](const auto& running) { return running->program->exit_code(); });
}

void BatchRun::finish(Running& running) {
  TaskRecord& record = running.record;
  const int code = running.program ? *running.program->exit_code() : int{kExitInternal};
  if (running.goes_on && code == kExitUsage) {  // other prompts, or no branch
    tell(record,
         fmt::format("starts again: job {} cannot be resumed: {}", record.job, running.last_error));
    outcomes_[running.index].record = {};
    return waiting_.push_front(running.index);
  }
  record.ended = true;
  record.exit_code = code;
  record.duration_s = static_cast<double>(context_.clock.ticks_ms() - running.began_ms) / 1000;
  if (record.exit_code != 0) record.error = running.last_error;
  if (record.outcome.empty()) record.outcome = record.exit_code > 128 ? "died" : "error";
  if (record.exit_code > 128 && asked_ms_ > 0) record.outcome = "interrupted";
  note(record);
  outcomes_[running.index].record = record;
  outcomes_[running.index].known = true;
  tell(record, fmt::format("{}, exit {}{}", record.outcome, record.exit_code,
                           record.error.empty() ? "" : ": " + record.error));
}

void BatchRun::end_all() {
  const long long now = context_.clock.ticks_ms();
  const bool asked = asked_ms_ > 0;
  if (asked && now - asked_ms_ < kEndGraceMs) return;
  if (!asked) asked_ms_ = now;
  for (const auto& running : running_) running->program->signal(asked ? SIGKILL : SIGTERM);
}

void BatchRun::note(const TaskRecord& record) {
  if (!noted_) return;
  noted_ = state_.note(record);
}

void BatchRun::tell(const TaskRecord& record, const std::string& what) const {
  print_note(context_.global, fmt::format("line {}: {} {}", record.line, record.agent, what));
}

}  // namespace pedro
