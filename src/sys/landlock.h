#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pedro {

/// What a process may do below a path. Each includes those before it.
enum class PathAccess {
  kRead,   ///< read and run files, list folders
  kWrite,  ///< change, make and remove files, folders, links, pipes and sockets; no devices
};

struct LandlockRule {
  std::string path;  ///< absolute; one that is missing is passed over
  PathAccess access = PathAccess::kRead;
};

/// What the kernel's Landlock can (landlock(7)): 0 where there is none.
int landlock_abi();

/// Confines the calling thread, and all that it starts, to the rules: what none of them allows is
/// refused. Rules of `net` ports are none: where the kernel can refuse TCP (ABI 4) and `net` is
/// false, it does; from ABI 6 on the process reaches neither abstract sockets nor, by signals,
/// processes outside. Wants no_new_privs. 0, or the value of errno.
///
/// For a child between clone and exec: allocates nothing and calls nothing but the kernel.
int restrict_by_landlock(int abi, const std::vector<LandlockRule>& rules, bool net);

}  // namespace pedro
