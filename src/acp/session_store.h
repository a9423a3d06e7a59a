#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"
#include "sys/file_system.h"

namespace pedro::acp {

/// One prompt of a session.
struct StoredTurn {
  std::string prompt;
  std::string job;      ///< id; "" if none was started
  std::string message;  ///< of a turn without a job
  bool cancelled = false;
};

struct StoredSession {
  std::string cwd;   ///< the folder, an absolute path
  std::string mode;  ///< the last one that was set; "" if none was
  std::string title;
  long long changed_ms = 0;  ///< since 1970
  std::vector<StoredTurn> turns;
};

/// Returns the title of a session with this first prompt: its first line, at most 120 bytes.
std::string session_title(std::string_view prompt);

/// The sessions of editors, in STATE/acp: a folder per session with `session.jsonl`, one line per
/// event. Jobs keep their own journals, so a session has only their ids. Borrows the file system.
///
///     const std::string id = *store.create(clock, "/home/me/project", random);
///     store.add_turn(id, "Who rides free?");
///     store.add_job(id, "20261127-031500-042-ask-7f3a");
class SessionStore {
 public:
  /// `state_folder` is Environment::state_folder().
  SessionStore(FileSystem& files, const std::string& state_folder)
      : files_(files), root_(join_path(state_folder, "acp")) {}

  /// Creates a session and returns its id. Errors: those of FileSystem; kInternal if `random` finds
  /// no free id.
  Result<std::string> create(const Clock& clock, const std::string& cwd,
                             const std::function<std::uint32_t()>& random);

  /// Returns the folder of a session. Requires is_job_id(id).
  std::string folder(std::string_view id) const { return join_path(root_, id); }

  /// Reads a session. Ignores damaged lines. Errors (kUsage): it does not exist, or its file is
  /// longer than 64 MiB.
  Result<StoredSession> load(const std::string& id) const;

  /// Returns all ids, newest first. Errors: those of FileSystem.
  Result<std::vector<std::string>> ids() const;

  // Each appends one event. Errors: those of FileSystem.
  Status set_mode(const std::string& id, const std::string& mode) {
    return add(id, {{"type", "mode"}, {"mode", mode}});
  }
  Status add_turn(const std::string& id, const std::string& prompt) {
    return add(id, {{"type", "turn"}, {"prompt", prompt}});
  }
  Status add_job(const std::string& id, const std::string& job) {
    return add(id, {{"type", "job"}, {"job", job}});
  }
  Status add_message(const std::string& id, const std::string& message) {
    return add(id, {{"type", "message"}, {"text", message}});
  }
  Status add_cancelled(const std::string& id) { return add(id, {{"type", "cancelled"}}); }

 private:
  std::string path(std::string_view id) const { return join_path(folder(id), "session.jsonl"); }
  Status add(const std::string& id, const Json& line);

  FileSystem& files_;
  std::string root_;
};

}  // namespace pedro::acp
