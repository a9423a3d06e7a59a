#include "batch_run.h"

#include <fmt/format.h>

#include <csignal>

#include "base/json.h"
#include "base/utf8.h"
#include "job/answer_log.h"
#include "job/job_store.h"
#include "sys/sleep.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr int kBatchLookEveryMs = 100;
constexpr int kMaxReturns = 3;
constexpr std::size_t kMaxErrorBytes = 500;
constexpr std::size_t kTypeAt = 80;  // a journal line has its type within these bytes

// `type` is the begin of a type.
bool has_type(std::string_view line, std::string_view type) {
  return line.substr(0, kTypeAt).find(R"("type":")" + std::string(type)) != std::string_view::npos;
}

}  // namespace

Result<std::vector<TaskOutcome>> BatchRun::run() {
  returns_.resize(tasks_.size());
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    outcomes_.push_back({&tasks_[i]});
    const TaskRecord* const known = state_.find(tasks_[i].key);
    if (known != nullptr) take_over(i, *known);
    if (!outcomes_[i].known || !is_settled(outcomes_[i].record)) waiting_.add_last(waiting(i));
  }
  while (!waiting_.empty() || !running_.empty()) {
    check_lease();
    if (context_.cancel.cancelled() || !noted_) {
      waiting_.clear();
      end_all();
    }
    start_waiting();
    collect();
  }
  if (!noted_) return noted_.error();
  return std::move(outcomes_);
}

// Another host may have begun the same tasks.
void BatchRun::check_lease() {
  if (!noted_) return;
  noted_ = lease_.check();
  lease_lost_ = !noted_ && noted_.error().kind == ErrorKind::kUsage;
}

void BatchRun::start_waiting() {
  while (running_.size() < limits_.max_at_once && noted_ && !context_.cancel.cancelled()) {
    const std::optional<JobQueue::Turn> turn = waiting_.take();
    if (!turn) return;
    if (turn->server) {
      start(turn->index, *turn->server);
    } else {
      give_up(turn->index);
    }
  }
}

// Describes a task to the queue, with the server that has run it.
WaitingJob BatchRun::waiting(std::size_t index) const {
  return {index, outcomes_[index].record.server, public_url(tasks_[index].server)};
}

void BatchRun::give_up(std::size_t index) {
  TaskRecord& record = outcomes_[index].record;
  const BatchTask& task = tasks_[index];
  record = {
      .key = task.key,
      .line = task.line,
      .agent = task.agent,
      .host = host_,
      .job = record.job,
      .ended = true,
      .exit_code = kExitModel,
      .outcome = "error",
      .branch = record.branch,
      .error = fmt::format("no server has answered for {} minutes", JobQueue::kMaxGoneMs / 60'000),
      .server = record.server,
      .moved_from = record.moved_from,
      .moves = record.moves,
      .moved_tokens = record.moved_tokens};
  outcomes_[index].run = outcomes_[index].known = true;
  note(record);
  tell(record, record.error);
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
  const bool elsewhere = !record.host.empty() && record.host != host_;
  if (elsewhere || !process_alive(record.process)) return;
  tell(record, "is still being stopped by the previous batch; waiting for it");
  while (process_alive(record.process) && !context_.cancel.cancelled()) {
    sleep_unless_cancelled(kBatchLookEveryMs / 1000.0, context_.cancel);
  }
}

Result<JobSummary> BatchRun::wait_for_resumed(const JobStore& store, const TaskRecord& record) {
  Result<JobSummary> job = store.load(record.job);
  if (job && job->state == JobState::kRunning) {
    tell(record, "is being resumed by another process; waiting for it");
  }
  while (job && job->state == JobState::kRunning && !context_.cancel.cancelled()) {
    sleep_unless_cancelled(kBatchLookEveryMs / 1000.0, context_.cancel);
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

std::vector<std::string> BatchRun::command_of(const BatchTask& task, const Running& running) const {
  std::vector<std::string> argv = {this_program()};
  if (running.goes_on) {
    argv.insert(argv.end(), {"resume", running.record.job});
  } else {
    argv.insert(argv.end(), task.arguments.begin(), task.arguments.end());
  }
  argv.emplace_back("--json");
  const std::string& url = servers_.url(running.server);
  if (!url.empty()) argv.push_back("--model-url=" + url);
  const std::vector<std::string> flags = passed_on(context_.global);
  argv.insert(argv.end(), flags.begin(), flags.end());
  return argv;
}

void BatchRun::start(std::size_t index, std::size_t server) {
  const BatchTask& task = tasks_[index];
  auto running = std::make_unique<Running>();
  running->index = index;
  running->server = server;
  running->began_ms = context_.clock.ticks_ms();
  running->record = {.key = task.key, .line = task.line, .agent = task.agent, .host = host_};
  running->record.server = servers_.name(server);
  const TaskRecord& known = outcomes_[index].record;
  const std::string& before = known.job;
  running->goes_on = can_go_on(before);
  if (running->goes_on) {
    running->record.job = before;
    running->record.moves = known.moves;
    running->record.moved_tokens = known.moved_tokens;
    running->record.moved_from = known.moved_from;
    if (!known.server.empty() && known.server != running->record.server) {
      running->record.moved_from = known.server;
      ++running->record.moves;
    }
  }
  if (!before.empty() && !running->goes_on) {
    tell(running->record, fmt::format("starts again: job {} has nothing to resume", before));
  }
  outcomes_[index].run = true;
  Result<std::unique_ptr<ChildProgram>> program = ChildProgram::start(
      command_of(task, *running),
      [this, heard_by = running.get()](StandardStream stream, std::string_view line) {
        hear(*heard_by, stream, line);
      });
  if (!program) {
    running->last_error = program.error().message;
    return finish(*running);
  }
  running->program = *std::move(program);
  running->record.process = running->program->identity();
  servers_.begin_job(server);
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
  const bool is_first_reply = !record.moved_from.empty() && has_type(line, "turn.completed");
  if (!is_first_reply && !has_type(line, "thread.")) return;
  const Result<Json> event = parse_json(line);
  if (!event) return;
  if (is_first_reply) {
    const Json& usage = member(*event, "usage");
    const long long tokens =
        number_of(usage, "input_tokens") - number_of(usage, "cached_input_tokens");
    record.moved_tokens += tokens;
    tell(record, fmt::format("moved from {} to {}: {} tokens evaluated again", record.moved_from,
                             record.server, tokens));
    record.moved_from.clear();
    note(record);
  }
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
  if (running_.empty()) {
    if (!waiting_.empty()) sleep_unless_cancelled(kBatchLookEveryMs / 1000.0, context_.cancel);
    return;
  }
  std::vector<ChildProgram*> programs;
  for (const auto& running : running_) programs.push_back(running->program.get());
  ChildProgram::wait(programs, kBatchLookEveryMs);
  for (const auto& running : running_) {
    if (running->program->exit_code()) finish(*running);
  }
  std::erase_if(running_, [](const auto& running) { return running->program->exit_code(); });
}

// Returns true if a job failed with its server, so that it can continue there or elsewhere. A job
// that ends each of its servers may do so a few times only.
bool BatchRun::goes_back(Running& running, int code) {
  if (code != kExitModel || context_.cancel.cancelled()) return false;
  if (servers_.url(running.server).empty()) return false;
  const bool began = can_go_on(running.record.job);
  if (!began && !servers_.is_gone(running.server)) return false;
  return ++returns_[running.index] <= kMaxReturns;
}

void BatchRun::finish(Running& running) {
  TaskRecord& record = running.record;
  const int code = running.program ? *running.program->exit_code() : int{kExitInternal};
  if (running.program) servers_.end_job(running.server);
  if (running.goes_on && code == kExitUsage) {  // other prompts, or no branch
    tell(record,
         fmt::format("starts again: job {} cannot be resumed: {}", record.job, running.last_error));
    outcomes_[running.index].record = {};
    outcomes_[running.index].known = false;
    return waiting_.add_first(waiting(running.index));
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
  if (goes_back(running, code)) {
    tell(record, fmt::format("stopped: {}; continues when a server answers", record.error));
    return waiting_.add_first(waiting(running.index));
  }
  tell(record, fmt::format("{}, exit {}{}", record.outcome, record.exit_code,
                           record.error.empty() ? "" : ": " + record.error));
}

void BatchRun::end_all() {
  const long long now = context_.clock.ticks_ms();
  const bool asked = asked_ms_ > 0;
  const bool at_once = lease_lost_ || (asked && now - asked_ms_ >= limits_.grace_ms);
  if (asked && !at_once) return;
  if (!asked) asked_ms_ = now;
  for (const auto& running : running_) running->program->signal(at_once ? SIGKILL : SIGTERM);
}

void BatchRun::note(const TaskRecord& record) {
  if (!noted_) return;
  noted_ = state_.note(record);
}

void BatchRun::tell(const TaskRecord& record, const std::string& what) const {
  print_note(context_.global, fmt::format("line {}: {} {}", record.line, record.agent, what));
}

}  // namespace pedro
