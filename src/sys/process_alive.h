#pragma once

#include "base/result.h"

namespace pedro {

/// Identifies a process, even after its id was reused.
struct ProcessIdentity {
  long pid = 0;
  /// Start time in the kernel's ticks since boot; 0 if the system does not report it.
  long long start_ticks = 0;
};

ProcessIdentity this_process();
/// Returns the identity of a running process.
ProcessIdentity identity_of(long pid);

/// Returns true while the process runs, even as another user. Returns false for a zombie.
bool process_alive(const ProcessIdentity& process);

/// Sends SIGTERM to this process and to no other: a pidfd holds it before its start time is
/// compared. Errors (kUsage): it has ended; its start time is unknown; the signal is not permitted.
Status end_process(const ProcessIdentity& process);

}  // namespace pedro
