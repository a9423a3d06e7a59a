#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sandbox/landlock.h"

namespace pedro {

/// The part of the file system that confined commands see. All paths are absolute; existing ones
/// are canonical.
struct SandboxView {
  std::vector<std::string> read;
  std::vector<std::string> write;
  std::vector<std::string> guarded;  ///< inside `write`: read-only, if the level supports it
  std::vector<std::string> pinned;   ///< parent folders of `guarded`: must not be moved
  std::vector<std::string> sockets;  ///< inside `write`: covered, if the level supports it
  std::vector<std::string> hidden;   ///< inside `read`: shown empty
  std::vector<std::pair<std::string, std::string>> links;  ///< {"/bin", "usr/bin"}
  std::vector<std::pair<std::string, std::string>>
      shown_as;  ///< {folder, path it appears at, writable}
};

/// Returns the existing system folders (programs, libraries, settings). As root, files for root
/// only are hidden.
SandboxView system_view();

/// Converts the view to Landlock rules. Hidden paths are excluded by listing their siblings.
/// Guarded paths cannot be expressed and stay writable.
std::vector<LandlockRule> landlock_rules(const SandboxView& view);

/// Returns true if commands may write the canonical `path`.
bool is_written(const SandboxView& view, const std::string& path);
bool is_shown(const SandboxView& view, const std::string& path);

/// Finds Unix sockets of running processes below given folders. A new socket with a relative path
/// costs one walk of each folder (at most 200,000 entries). Remembers the results. One thread.
///
///     UnixSockets sockets;
///     for (const std::string& path : sockets.below({"/home/me/project"})) cover(path);
class UnixSockets {
 public:
  /// Returns absolute paths. `folders` are canonical.
  std::vector<std::string> below(const std::vector<std::string>& folders);

 private:
  // By folder: the inodes of sockets with relative paths at its last call.
  std::map<std::string, std::set<std::string>> searched_;
  std::set<std::string> found_;  // paths of sockets found by walks
};

}  // namespace pedro
