#pragma once

#include "base/result.h"

namespace pedro {

/// Tells one process from all others, also from a later one that got the same number.
struct ProcessIdentity {
  long pid = 0;
  /// When it started, in the kernel's ticks since boot; 0 where the system does not say.
  long long start_ticks = 0;
};

ProcessIdentity this_process();
/// Of a process that runs.
ProcessIdentity identity_of(long pid);

/// True while that process runs; also where it belongs to somebody else. False for one that has
/// ended and was only not waited for.
bool process_alive(const ProcessIdentity& process);

/// Asks that process to end (SIGTERM), and no other: it is held by a descriptor before its start
/// time is looked at. Error (kUsage): it is gone, or it cannot be told from another.
Status end_process(const ProcessIdentity& process);

}  // namespace pedro
