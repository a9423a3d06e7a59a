#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pedro {

/// Access to a path and everything below it. Each level includes the previous ones.
enum class PathAccess {
  kRead,   ///< read and run files, list folders
  kWrite,  ///< change, create and remove files, folders, links, pipes, sockets; no devices
};

struct LandlockRule {
  std::string path;  ///< absolute; ignored if missing or inaccessible
  PathAccess access = PathAccess::kRead;
};

/// Returns the kernel's version of Landlock (landlock(7)); 0 if it has none.
int landlock_abi();

/// Confines the calling thread and its future children to the rules; all other access to files is
/// refused. If `net` is false, TCP is refused too (from ABI 4 on). From ABI 6 on, abstract sockets
/// of outside processes are unreachable, and so are outside processes by signals. Requires
/// no_new_privs. Returns 0, or an errno value.
///
/// Runs in a child between clone and exec: does not allocate, and only makes system calls.
int restrict_by_landlock(int abi, const std::vector<LandlockRule>& rules, bool net);

}  // namespace pedro
