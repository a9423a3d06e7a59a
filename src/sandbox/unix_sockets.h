#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace pedro {

/// Finds Unix sockets of running processes below given folders. A new socket with a relative path
/// costs one walk of each folder (at most 200,000 entries); the results are remembered. One
/// thread.
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
