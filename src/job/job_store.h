#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "chat/message.h"
#include "job/refusals.h"
#include "sys/file_system.h"
#include "sys/process_alive.h"

namespace pedro {

enum class JobState {
  kRunning,
  kDone,         ///< ended with exit code 0
  kFailed,       ///< ended with another exit code
  kInterrupted,  ///< ended by a signal, in an orderly way: 130, 143
  kDied,         ///< its process ended without a final event
};
std::string_view to_string(JobState state);

/// Data of a job for listings. Unknown texts are "".
struct JobSummary {
  std::string id;
  std::string agent;
  std::string task;
  std::string workdir;           ///< root of its work tree
  std::string repository;        ///< root of the user's work tree, if the job had its own
  ProcessIdentity process = {};  ///< the process that works on it, or did
  JobState state = JobState::kDied;
  int exit_code = 0;            ///< of an ended job
  std::string outcome;          ///< of an ended job, in one word
  std::string reason;           ///< why an ended job did not succeed; "" if unknown
  std::string error;            ///< that ended it; "" if none did; only from load()
  std::string started;          ///< RFC 3339, UTC
  std::string ended;            ///< "" while it runs
  std::string phase;            ///< the last one started; only from load()
  long long rounds = 0;         ///< of a job without an end: only from load()
  Usage tokens;                 ///< of all rounds; available as `rounds` are
  Refusals refusals = {};       ///< only from load()
  long long checks = 0;         ///< runs of checks; only from load()
  long long checks_failed = 0;  ///< only from load()
  std::string branch;
  std::string commit;  ///< the last one of an ended job; "" if it made none
  std::string report;  ///< path
  /// The commits of its checkpoints, by the number of rounds before them. Empty if they were
  /// forgotten. Only from load().
  std::map<int, std::string> checkpoints;
  /// The last heartbeat of a running job, in milliseconds since 1970; 0 if unknown.
  long long alive_ms = 0;

  /// Returns true if it is a job of the project at `root`, possibly in a work tree of its own.
  bool works_in(const std::string& root) const { return workdir == root || repository == root; }

  /// Returns true if all phases ended, verified or not: only a new message continues the job.
  bool is_finished() const;
};

/// Stores the state of a job before its first checks in its folder. JobStore::load() of a job
/// without a start has this work tree, and `commit` as checkpoint before the first round. Errors:
/// of the disk.
Status keep_unstarted(FileSystem& files, const std::string& folder, const std::string& workdir,
                      const std::string& commit);

/// Returns the time since a running job's last heartbeat, in milliseconds; -1 if unknown.
long long silent_ms(const JobSummary& job, long long now_ms);

/// After this time without a heartbeat, in milliseconds, a job does not respond. Its process is
/// stopped, or waits for its disk. Twelve times the interval of Heartbeat.
inline constexpr long long kMaxSilence_ms = 60'000;

/// The time that a job gets to commit its work after it was asked to end, in milliseconds.
inline constexpr long long kCommitGrace_ms = 60'000;

/// The folder STATE/jobs with one folder per job: journal.jsonl, summary.json and other files.
/// Borrows the file system. Any number of processes may use it concurrently.
class JobStore {
 public:
  using Alive = std::function<bool(const ProcessIdentity&)>;

  /// `state_folder` is Environment::state_folder().
  JobStore(FileSystem& files, const std::string& state_folder, Alive alive = process_alive);

  /// Creates the folder of a new job (0700) and returns the job's id, which is unique among all
  /// processes. Calls `random` again if an id exists already.
  Result<std::string> create(const Clock& clock, std::string_view agent,
                             const std::function<std::uint32_t()>& random);

  /// Returns all ids, newest first.
  Result<std::vector<std::string>> ids() const;

  /// Returns the job that `text` names: its id, a prefix of it, or its last four digits. Errors
  /// (kUsage): no match, or several, which are listed.
  Result<std::string> find(std::string_view text) const;

  /// Returns the job's folder. Requires is_job_id().
  std::string folder(std::string_view id) const;
  std::string journal_path(std::string_view id) const;
  /// Returns the path of the heartbeat file, whose time is that of the last sign of life.
  std::string heartbeat_path(std::string_view id) const;

  /// Returns at most `max_jobs` jobs, newest first; with `root`, only those that work in it. Reads
  /// one small file per job; reads the journal only if that file is missing or broken.
  Result<std::vector<JobSummary>> list(std::size_t max_jobs, const std::string& root = "") const;

  /// Returns an error (kUsage) if there is no such job. Reads no file contents.
  Status require(std::string_view id) const;

  /// Reads one job from its whole journal. Ignores broken lines of the journal. Errors: kUsage if
  /// there is no such job; a journal that is unreadable or too long.
  Result<JobSummary> load(std::string_view id) const;

  /// Makes load() report no checkpoints from now on.
  Status forget_checkpoints(std::string_view id);

  /// Returns a job as list() does. Values missing from the small file are unknown.
  JobSummary brief(const std::string& id) const;

 private:
  std::string forgotten_path(std::string_view id) const;
  void apply_unstarted(JobSummary& job) const;
  void look_for_life(JobSummary& job, const ProcessIdentity& process) const;

  FileSystem& files_;
  std::string jobs_;
  Alive alive_;
};

}  // namespace pedro
