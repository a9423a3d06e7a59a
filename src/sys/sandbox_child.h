#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/landlock.h"
#include "sys/mount_plan.h"
#include "sys/start_process.h"
#include "sys/syscall_filter.h"

namespace pedro {

/// What a child may use at most. 0: no limit.
struct ResourceLimits {
  std::uint64_t processes = 0;
  std::uint64_t memory_bytes = 0;  ///< data of one process
  std::uint64_t file_bytes = 0;    ///< one file
  std::uint64_t cpu_s = 0;         ///< one process
};

/// How a child is confined. Made once for many children; only read while one is started.
struct Confinement {
  /// Namespaces for mounts, processes, System V's objects, the machine's name and, without `net`,
  /// the network; one for users where we are not root.
  std::optional<MountPlan> mounts;
  bool user_namespace = false;
  /// The process namespace has a limit too, at least 301: for root, who is not bound by the usual
  /// one. Only where has_own_process_limit().
  bool own_process_limit = false;
  bool net = false;
  int landlock_abi = 0;  ///< 0: without
  std::vector<LandlockRule> rules;
  SyscallFilter filter;
};

/// Whether a process namespace has a limit of its own (since Linux 6.14). Before that there is one
/// for the machine, which is not ours to set.
bool has_own_process_limit();

/// How a confined command ended.
struct ConfinedEnd {
  int code = 0;
  int signal = 0;
  bool left_children = false;  ///< others outlived it and were ended
};

/// A started child.
struct ConfinedChild {
  int pid = 0;      ///< leads a session and a group of its own
  int report = -1;  ///< a descriptor, the caller's; see confined_end()
};

/// Starts `program` confined. With namespaces the child is not the program but its keeper, the
/// first process of the namespace: it passes SIGTERM on to all, ends what the program leaves behind
/// (100 ms of grace, then SIGTERM, two seconds later SIGKILL) and ends with it; when it is killed,
/// or this thread ends, the kernel ends all. Without them the child is the program.
///
/// Error (kUsage): "NAME: why" where the program cannot be started, "sandbox: PLACE: why" where the
/// kernel does not let us confine it.
Result<ConfinedChild> start_confined(const Confinement& confinement, const ResourceLimits& limits,
                                     const ProgramStart& start, const ChildStreams& streams);

/// What a keeper that has ended says of its program; nothing where there is no keeper, or it was
/// killed. Not to be called before it has ended.
std::optional<ConfinedEnd> confined_end(int report);

/// Tries it without a program: whether the kernel lets us. "" or "PLACE: why".
std::string try_confinement(const Confinement& confinement, const ResourceLimits& limits);

}  // namespace pedro
