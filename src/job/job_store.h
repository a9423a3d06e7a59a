#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "chat/message.h"
#include "sys/file_system.h"
#include "sys/process_alive.h"

namespace pedro {

enum class JobState {
  kRunning,
  kDone,         ///< ended with exit code 0
  kFailed,       ///< ended with another
  kInterrupted,  ///< ended by a signal, and said so: 130, 143
  kDied,         ///< its process is gone and left no end
};
std::string_view to_string(JobState state);

/// What a listing shows of a job. Texts are "" where nothing is known.
struct JobSummary {
  std::string id;
  std::string agent;
  std::string task;
  std::string workdir;           ///< the root of its work tree
  std::string repository;        ///< of the user's, where the job had one of its own
  ProcessIdentity process = {};  ///< that works on it, or did
  JobState state = JobState::kDied;
  int exit_code = 0;     ///< of an ended job
  std::string outcome;   ///< of an ended job, one word
  std::string started;   ///< RFC 3339, UTC
  std::string ended;     ///< "" while it runs
  std::string phase;     ///< the last one that began; only from load()
  long long rounds = 0;  ///< of a job without an end only from load()
  Usage tokens;          ///< of all rounds; as `rounds`
  std::string branch;
  std::string report;  ///< path
  /// The commits of its checkpoints by the rounds they were taken after, unless they were
  /// forgotten; only from load().
  std::map<int, std::string> checkpoints;
  /// When the process of a running job showed that it lives, in milliseconds since 1970; 0 where
  /// that is not known.
  long long alive_ms = 0;
};

/// How long a running job has given no sign of life, in milliseconds; -1 where that is not known.
long long silent_ms(const JobSummary& job, long long now_ms);

/// One that has been silent for longer does not respond: its process is stopped, or waits for a
/// disk that does not answer. Twelve times what is between two signs (Heartbeat).
inline constexpr long long kMaxSilence_ms = 60'000;

/// The folder that holds a folder for every job: STATE/jobs/ID with journal.jsonl, summary.json and
/// what else a job leaves. Borrows the file system; any number of processes may use it at once.
class JobStore {
 public:
  using Alive = std::function<bool(const ProcessIdentity&)>;

  /// `state_folder` is Environment::state_folder().
  JobStore(FileSystem& files, const std::string& state_folder, Alive alive = process_alive);

  /// Makes the folder of a new job (0700) and gives back the job's id, which no other process has
  /// got or gets. `random` is asked again where an id is taken.
  Result<std::string> create(const Clock& clock, std::string_view agent,
                             const std::function<std::uint32_t()>& random);

  /// All ids, the newest first.
  Result<std::vector<std::string>> ids() const;

  /// The one job that `text` names: its id, a beginning of that or its last four digits. Error
  /// (kUsage): there is none, or there are several, which it lists.
  Result<std::string> find(std::string_view text) const;

  /// Requires an id for which is_job_id holds.
  std::string folder(std::string_view id) const;
  std::string journal_path(std::string_view id) const;
  /// The file whose time says when the job was last known to live.
  std::string heartbeat_path(std::string_view id) const;

  /// The newest jobs first, at most `max_jobs`. Reads one small file per job; only where that is
  /// missing or broken the journal.
  Result<std::vector<JobSummary>> list(std::size_t max_jobs) const;

  /// Error (kUsage): there is no such job. Reads nothing.
  Status require(std::string_view id) const;

  /// One job from its whole journal. kUsage where there is no such job; a torn or broken journal
  /// gives what can be read of it.
  Result<JobSummary> load(std::string_view id) const;

  /// From here on load() knows of no checkpoints.
  Status forget_checkpoints(std::string_view id);

  /// The same as in list(): from a small file, and what is not in that is not known.
  JobSummary brief(const std::string& id) const;

 private:
  std::string forgotten_path(std::string_view id) const;
  void look_for_life(JobSummary& job, const ProcessIdentity& process) const;

  FileSystem& files_;
  std::string jobs_;
  Alive alive_;
};

}  // namespace pedro
