#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/landlock.h"
#include "sys/resource_limits.h"
#include "sys/start_process.h"
#include "sys/syscall_filter.h"

namespace pedro {

/// How Landlock and seccomp confine a child. Made once for many children.
struct Confinement {
  bool net = false;
  int landlock_abi = 0;
  std::vector<LandlockRule> rules;
  SyscallFilter filter;
};

/// Starts a confined program in a session of its own; it ends with the thread that started it.
/// Returns its process id. Errors (kUsage): "NAME: why" if the program cannot be started,
/// "sandbox: PLACE: why" if the kernel does not confine it.
Result<int> start_landlocked(const Confinement& confinement, const ResourceLimits& limits,
                             const ProgramStart& program, const ChildStreams& streams);

/// Tries a confinement without a program. Returns "" or "PLACE: why".
std::string try_confinement(const Confinement& confinement, const ResourceLimits& limits);

}  // namespace pedro
