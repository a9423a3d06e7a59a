#pragma once

namespace pedro {

/// Tells one process from all others, also from a later one that got the same number.
struct ProcessIdentity {
  long pid = 0;
  /// When it started, in the kernel's ticks since boot; 0 where the system does not say.
  long long start_ticks = 0;
};

ProcessIdentity this_process();

/// True while that process runs; also where it belongs to somebody else. False for one that has
/// ended and was only not waited for.
bool process_alive(const ProcessIdentity& process);

}  // namespace pedro
