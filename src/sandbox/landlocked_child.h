#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/landlock.h"
#include "sandbox/resource_limits.h"
#include "sys/start_process.h"

namespace pedro {

/// A compiled seccomp program (seccomp(2)), built once and loaded by each child.
///
/// Refused calls return an error, so that programs can continue. These are mounts, namespaces,
/// modules, kexec, BPF, keys, performance counters, and io_uring (it bypasses this filter). Also
/// the machine's time and name, injected terminal input, set-user-ID bits, and sockets other than
/// Unix, IPv4, IPv6 and netlink. System calls of other architectures fail with ENOSYS.
struct SyscallFilter {
  struct Step {  // the kernel's sock_filter
    std::uint16_t code;
    std::uint8_t jump_true;
    std::uint8_t jump_false;
    std::uint32_t operand;
  };
  std::vector<Step> steps;
};

/// The restrictions of a child by Landlock and seccomp. Reusable for many children.
struct Confinement {
  bool net = false;
  int landlock_abi = 0;
  std::vector<LandlockRule> rules;
  SyscallFilter filter;
};

/// Starts a confined program in its own session; it ends with the thread that started it. Returns
/// its process id. Errors: kUsage, "NAME: reason" if the program cannot start, or "sandbox: PLACE:
/// reason" if the kernel refuses the restrictions. kInternal if no process can be created.
Result<int> start_landlocked(const Confinement& confinement, const ResourceLimits& limits,
                             const ProgramStart& program, const ChildStreams& streams);

/// Tries the restrictions without a program. Returns "", or "PLACE: reason".
std::string try_confinement(const Confinement& confinement, const ResourceLimits& limits);

/// The sockets that a filter allows. Pairs of connected sockets are always allowed.
enum class SocketRule {
  kAny,      ///< network access is allowed, or the network namespace is private
  kNetlink,  ///< only netlink: queries to the kernel about interfaces
};

Result<SyscallFilter> make_syscall_filter(SocketRule sockets);

/// Loads the filter into the calling thread, which must have no_new_privs. Returns 0, or an errno
/// value. Runs in a child between clone and exec: only makes system calls.
int load_syscall_filter(const SyscallFilter& filter);

}  // namespace pedro
