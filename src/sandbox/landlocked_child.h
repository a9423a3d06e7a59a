#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/landlock.h"
#include "sandbox/resource_limits.h"
#include "sandbox/syscall_filter.h"
#include "sys/start_process.h"

namespace pedro {

/// The restrictions of a child by Landlock and seccomp. Reusable for many children.
struct Confinement {
  bool net = false;
  int landlock_abi = 0;
  std::vector<LandlockRule> rules;
  SyscallFilter filter;
};

/// Starts a confined program in its own session; it ends with the thread that started it. Returns
/// its process id. Errors: kUsage, "NAME: reason" if the program cannot be started, or "sandbox:
/// PLACE: reason" if the kernel refuses the restrictions; kInternal if no process can be created.
Result<int> start_landlocked(const Confinement& confinement, const ResourceLimits& limits,
                             const ProgramStart& program, const ChildStreams& streams);

/// Tries the restrictions without a program. Returns "", or "PLACE: reason".
std::string try_confinement(const Confinement& confinement, const ResourceLimits& limits);

}  // namespace pedro
