#pragma once

#include <set>
#include <string>
#include <vector>

namespace pedro {

/// Finds the Unix sockets of this machine's processes that lie below given folders. A socket with a
/// relative path costs one walk of the folders (at most 200,000 entries); the result is remembered.
/// One thread.
///
///     UnixSockets sockets;
///     for (const std::string& path : sockets.below({"/home/me/project"})) cover(path);
class UnixSockets {
 public:
  /// `folders` are canonical. Returns absolute paths.
  std::vector<std::string> below(const std::vector<std::string>& folders);

 private:
  std::set<std::string> searched_;  // numbers of sockets with relative paths
  std::set<std::string> found_;     // paths of sockets that a walk has found
};

}  // namespace pedro
