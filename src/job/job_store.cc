#include "job/job_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/json.h"
#include "base/utf8.h"
#include "job/exit_code.h"
#include "job/job_id.h"
#include "job/read_journal.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxSummaryBytes = 64u << 10;
constexpr const char* kUnstarted = "unstarted.json";
constexpr int kMaxIdTries = 16;
constexpr std::size_t kMaxNamedJobs = 5;

Error no_job(std::string_view id) {
  return Error{ErrorKind::kUsage, fmt::format("no job '{}'; 'pedrocli list' shows all jobs",
                                              make_printable(truncate_utf8(id, 80)))};
}

// Returns a text made safe for terminals: a model may have written parts of the journal.
std::string shown(const Json& object, std::string_view key) {
  return make_printable(text_of(object, key));
}

Usage usage_of(const Json& event) {
  const Json& usage = member(event, "usage");
  Usage found;
  found.prompt_tokens = count_of(usage, "input_tokens");
  found.cached_tokens = count_of(usage, "cached_input_tokens");
  found.generated_tokens = count_of(usage, "output_tokens");
  return found;
}

JobState state_after(int exit_code) {
  if (exit_code == kExitDone) return JobState::kDone;
  return exit_code > kExitSignal ? JobState::kInterrupted : JobState::kFailed;
}

ProcessIdentity process_of(const Json& started) {
  return {static_cast<long>(number_of(started, "pid")), number_of(started, "start_ticks")};
}

void apply_start(JobSummary& job, const Json& started) {
  job.agent = shown(started, "agent");
  job.task = shown(started, "task");
  job.workdir = text_of(started, "workdir");
  job.repository = text_of(started, "repository");
  job.process = process_of(started);
  job.branch = shown(started, "branch");
  const std::string began = shown(started, "began");
  if (job.started.empty()) job.started = began.empty() ? shown(started, "ts") : began;
}

void apply_end(JobSummary& job, const Json& ended) {
  job.exit_code = static_cast<int>(number_of(ended, "exit_code"));
  job.state = state_after(job.exit_code);
  job.outcome = shown(ended, "outcome");
  job.reason = shown(ended, "reason");
  job.ended = shown(ended, "ts");
  job.commit = shown(ended, "commit");
  job.report = shown(ended, "report");
  if (job.rounds == 0) {  // else counted, over all processes of the job
    job.rounds = count_of(ended, "rounds");
    job.tokens = usage_of(ended);
  }
  const std::string branch = shown(ended, "branch");
  if (!branch.empty()) job.branch = branch;
}

// Collects relevant events while a journal is read from its start.
struct Story {
  JobSummary job;
  Json started;
  Json ended;

  void hear(const Json& event) {
    const std::string type = text_of(event, "type");
    if (type == "thread.started") {
      started = event;
      ended = Json();  // a resumed job has not ended
      apply_start(job, event);
    } else if (type == "thread.completed") {
      ended = event;
    } else if (type == "phase.started") {
      job.phase = shown(event, "phase");
    } else if (type == "item.completed") {
      const Json& item = member(event, "item");
      job.refusals.hear(item);
      const bool is_check = text_of(item, "type") == "command_execution";
      job.checks += is_check ? 1 : 0;
      job.checks_failed += is_check && text_of(item, "status") != "completed" ? 1 : 0;
    } else if (type == "error") {
      job.error = shown(event, "message");
    } else if (type == "checkpoint.taken") {
      const long long rounds = number_of(event, "rounds", -1);
      const bool is_valid = rounds >= 0 && rounds <= std::numeric_limits<int>::max();
      if (is_valid) job.checkpoints[static_cast<int>(rounds)] = text_of(event, "commit");
    } else if (type == "turn.completed") {
      const Usage usage = usage_of(event);
      ++job.rounds;
      job.tokens.prompt_tokens += usage.prompt_tokens;
      job.tokens.cached_tokens += usage.cached_tokens;
      job.tokens.generated_tokens += usage.generated_tokens;
    }
  }
};

}  // namespace

std::string_view to_string(JobState state) {
  switch (state) {
    case JobState::kRunning:
      return "running";
    case JobState::kDone:
      return "done";
    case JobState::kFailed:
      return "failed";
    case JobState::kInterrupted:
      return "interrupted";
    case JobState::kDied:
      return "died";
  }
  return "";
}

bool JobSummary::is_finished() const {
  constexpr std::string_view kFinished[] = {"done", "not_verified", "nothing_changed",
                                            "not_published"};
  return state != JobState::kRunning &&
         std::find(std::begin(kFinished), std::end(kFinished), outcome) != std::end(kFinished);
}

long long silent_ms(const JobSummary& job, long long now_ms) {
  if (job.alive_ms == 0) return -1;
  return std::max(0LL, now_ms - job.alive_ms);  // the clock of the disk may differ
}

JobStore::JobStore(FileSystem& files, const std::string& state_folder, Alive alive)
    : files_(files), jobs_(join_path(state_folder, "jobs")), alive_(std::move(alive)) {}

Result<std::string> JobStore::create(const Clock& clock, std::string_view agent,
                                     const std::function<std::uint32_t()>& random) {
  const auto not_made = [](const Error& why) {
    return why.at("the job's folder cannot be created");
  };
  if (Status above = files_.make_folders(jobs_, 0700); !above) return not_made(above.error());
  for (int i = 0; i < kMaxIdTries; ++i) {
    std::string id = new_job_id(clock.now_ms(), agent, random());
    const Result<bool> made = files_.make_new_folder(folder(id), 0700);
    if (!made) return not_made(made.error());
    if (*made) return id;
  }
  return Error{ErrorKind::kInternal, fmt::format("{}: no free job id found", jobs_)};
}

std::string JobStore::folder(std::string_view id) const {
  return join_path(jobs_, id);
}

std::string JobStore::forgotten_path(std::string_view id) const {
  return join_path(folder(id), "no-checkpoints");
}

std::string JobStore::journal_path(std::string_view id) const {
  return join_path(folder(id), "journal.jsonl");
}

std::string JobStore::heartbeat_path(std::string_view id) const {
  return join_path(folder(id), "heartbeat");
}

Result<std::vector<std::string>> JobStore::ids() const {
  std::vector<std::string> ids;
  if (files_.info(jobs_).kind == FileKind::kMissing) return ids;
  PEDRO_TRY(const std::vector<FolderEntry> entries, files_.list(jobs_));
  // Names are sorted and start with the time.
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (entry->kind == FileKind::kFolder && is_job_id(entry->name)) ids.push_back(entry->name);
  }
  return ids;
}

Result<std::string> JobStore::find(std::string_view text) const {
  PEDRO_TRY(const std::vector<std::string> known, ids());
  std::vector<std::string> named;
  for (const std::string& id : known) {
    if (id == text) return id;
    if (names_job(text, id)) named.push_back(id);
  }
  if (named.size() == 1) return named.front();
  if (named.empty()) return no_job(text);
  std::string some;
  for (std::size_t i = 0; i < named.size() && i < kMaxNamedJobs; ++i) some += "\n  " + named[i];
  if (named.size() > kMaxNamedJobs) some += "\n  ...";
  return Error{ErrorKind::kUsage, fmt::format("'{}' matches {} jobs:{}", text, named.size(), some)};
}

Result<std::vector<JobSummary>> JobStore::list(std::size_t max_jobs,
                                               const std::string& root) const {
  PEDRO_TRY(const std::vector<std::string> known, ids());
  std::vector<JobSummary> jobs;
  for (const std::string& id : known) {
    if (jobs.size() == max_jobs) break;
    JobSummary job = brief(id);
    if (root.empty() || job.works_in(root)) jobs.push_back(std::move(job));
  }
  return jobs;
}

JobSummary JobStore::brief(const std::string& id) const {
  const std::string path = join_path(folder(id), "summary.json");
  const Result<std::string> text = files_.read(path, kMaxSummaryBytes);
  const Result<Json> lines = parse_json(text ? *text : "null");
  const Json summary = lines ? *lines : Json();
  const Json& started = member(summary, "started");
  JobSummary job;
  job.id = id;
  if (!started.is_object()) {
    Result<JobSummary> whole = load(id);
    return whole ? *std::move(whole) : job;
  }
  apply_start(job, started);
  const Json& ended = member(summary, "ended");
  if (ended.is_object()) {
    apply_end(job, ended);
  } else {
    look_for_life(job, process_of(started));
  }
  return job;
}

// Sets the state of a job without a final event.
void JobStore::look_for_life(JobSummary& job, const ProcessIdentity& process) const {
  if (!alive_(process)) return;
  job.state = JobState::kRunning;
  job.alive_ms = files_.link_info(heartbeat_path(job.id)).modified_ns / 1'000'000;
}

Status JobStore::require(std::string_view id) const {
  const bool is_there = is_job_id(id) && files_.info(folder(id)).kind == FileKind::kFolder;
  return is_there ? Status() : no_job(id);
}

Result<JobSummary> JobStore::load(std::string_view id) const {
  PEDRO_RETURN_IF_ERROR(require(id));
  Story story;
  story.job.id = id;
  if (files_.info(journal_path(id)).kind == FileKind::kMissing) {
    apply_unstarted(story.job);
    return story.job;
  }
  PEDRO_RETURN_IF_ERROR(
      read_journal(files_, journal_path(id), [&story](const Json& event) { story.hear(event); }));
  if (story.ended.is_object()) {
    apply_end(story.job, story.ended);
  } else {
    look_for_life(story.job, process_of(story.started));
  }
  if (!story.started.is_object()) apply_unstarted(story.job);
  if (files_.info(forgotten_path(id)).kind != FileKind::kMissing) story.job.checkpoints.clear();
  return story.job;
}

void JobStore::apply_unstarted(JobSummary& job) const {
  const auto text = files_.read(join_path(folder(job.id), kUnstarted), kMaxSummaryBytes);
  const Result<Json> unstarted = parse_json(text ? *text : "null");
  if (!unstarted || !unstarted->is_object()) return;
  job.workdir = text_of(*unstarted, "workdir");
  job.checkpoints[0] = text_of(*unstarted, "commit");
}

Status keep_unstarted(FileSystem& files, const std::string& folder, const std::string& workdir,
                      const std::string& commit) {
  return files.write_atomic(join_path(folder, kUnstarted),
                            to_line(Json{{"workdir", workdir}, {"commit", commit}}) + "\n", 0600);
}

Status JobStore::forget_checkpoints(std::string_view id) {
  if (Status known = require(id); !known) return known;
  return files_.write_atomic(forgotten_path(id), "", 0600);
}

}  // namespace pedro
