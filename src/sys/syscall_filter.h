#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"

namespace pedro {

/// Which kinds of sockets a filter lets pass. Pairs of connected ones always are.
enum class SocketRule {
  kAny,      ///< the network is allowed, or there is one of its own
  kNetlink,  ///< none that reaches anybody: questions to the kernel about interfaces only
};

/// The program of a seccomp filter (seccomp(2)), made once and loaded by each child.
///
/// It refuses with an error, so a program that only tries goes on: mounts, namespaces, modules,
/// other kernels, BPF, keys, performance counters, io_uring (which would go around this filter),
/// the machine's time and name, typing into terminals, set-user-ID bits, and sockets of families
/// beyond Unix, IPv4, IPv6 and netlink. A foreign architecture's system calls do not exist.
struct SyscallFilter {
  struct Step {  // the kernel's sock_filter
    std::uint16_t code;
    std::uint8_t jump_true;
    std::uint8_t jump_false;
    std::uint32_t operand;
  };
  std::vector<Step> steps;
};

Result<SyscallFilter> make_syscall_filter(SocketRule sockets);

/// Loads it into the calling thread; wants no_new_privs. 0, or the value of errno. For a child
/// between clone and exec: calls nothing but the kernel.
int load_syscall_filter(const SyscallFilter& filter);

}  // namespace pedro
