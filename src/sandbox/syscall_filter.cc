#include <fcntl.h>
#include <fmt/format.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "sandbox/landlocked_child.h"
#include "sys/descriptor.h"

namespace pedro {
namespace {

using Filter = std::unique_ptr<void, void (*)(scmp_filter_ctx)>;

// Names that the library or this machine lacks are skipped.
constexpr const char* kRefusedCalls[] = {"mount",
                                         "umount2",
                                         "pivot_root",
                                         "chroot",
                                         "fsopen",
                                         "fsmount",
                                         "fsconfig",
                                         "fspick",
                                         "move_mount",
                                         "open_tree",
                                         "mount_setattr",
                                         "setns",
                                         "unshare",
                                         "init_module",
                                         "finit_module",
                                         "delete_module",
                                         "kexec_load",
                                         "kexec_file_load",
                                         "bpf",
                                         "perf_event_open",
                                         "userfaultfd",
                                         "add_key",
                                         "request_key",
                                         "keyctl",
                                         "iopl",
                                         "ioperm",
                                         "swapon",
                                         "swapoff",
                                         "reboot",
                                         "sethostname",
                                         "setdomainname",
                                         "settimeofday",
                                         "clock_settime",
                                         "clock_adjtime",
                                         "adjtimex",
                                         "acct",
                                         "quotactl",
                                         "quotactl_fd",
                                         "lookup_dcookie",
                                         "open_by_handle_at",
                                         "vhangup",
                                         "syslog",
                                         "fanotify_init",
                                         "pidfd_getfd"};
/// Reported as missing, as in older kernels: programs then fall back to calls that can be filtered.
constexpr const char* kAsIfMissing[] = {"io_uring_setup", "io_uring_enter", "io_uring_register",
                                        "clone3"};
constexpr std::uint64_t kNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                      CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
constexpr int kFchmodat2 = 452;  // unknown to older versions of the library
constexpr int kFamilies = 64;    // more than exist; larger numbers are refused as a range

/// Adds rules until one cannot be added.
class Rules {
 public:
  explicit Rules(scmp_filter_ctx filter) : filter_(filter) {}

  template <typename... Conditions>
  void refuse(int error, const char* call, Conditions... conditions) {
    refuse(error, seccomp_syscall_resolve_name(call), conditions...);
  }
  template <typename... Conditions>
  void refuse(int error, int number, Conditions... conditions) {
    if (number == __NR_SCMP_ERROR || error_ != 0) return;
    const int result = seccomp_rule_add(filter_, SCMP_ACT_ERRNO(static_cast<unsigned>(error)),
                                        number, sizeof...(conditions), conditions...);
    // -EDOM: this machine lacks the call.
    if (result != 0 && result != -EDOM) error_ = -result;
  }

  int error() const { return error_; }

 private:
  scmp_filter_ctx filter_;
  int error_ = 0;
};

// Replaces SCMP_CMP64(), which not all compilers accept. For SCMP_CMP_MASKED_EQ, `datum_a` is the
// mask.
scmp_arg_cmp compare(unsigned argument, scmp_compare how, std::uint64_t datum_a,
                     std::uint64_t datum_b = 0) {
  return {argument, how, datum_a, datum_b};
}

bool allowed_family(int family, SocketRule sockets) {
  if (family == AF_NETLINK) return true;
  const bool usual = family == AF_UNIX || family == AF_INET || family == AF_INET6;
  return usual && sockets == SocketRule::kAny;
}

void refuse_sockets(Rules& rules, SocketRule sockets) {
  for (int family = 0; family < kFamilies; ++family) {
    if (allowed_family(family, sockets)) continue;
    rules.refuse(EAFNOSUPPORT, "socket", compare(0, SCMP_CMP_EQ, static_cast<unsigned>(family)));
  }
  rules.refuse(EAFNOSUPPORT, "socket", compare(0, SCMP_CMP_GE, unsigned{kFamilies}));
}

void refuse_set_user_id(Rules& rules) {
  const auto bit = compare(1, SCMP_CMP_MASKED_EQ, S_ISUID, S_ISUID);
  const auto bit_at = compare(2, SCMP_CMP_MASKED_EQ, S_ISUID, S_ISUID);
  rules.refuse(EPERM, "chmod", bit);
  rules.refuse(EPERM, "fchmod", bit);
  rules.refuse(EPERM, "fchmodat", bit_at);
  rules.refuse(ENOSYS, kFchmodat2);
  // Creating a file can also set the bit.
  rules.refuse(EPERM, "creat", bit);
  rules.refuse(EPERM, "mknod", bit);
  rules.refuse(EPERM, "mknodat", bit_at);
  constexpr std::uint64_t kTemporary = O_TMPFILE & ~O_DIRECTORY;  // its own bit
  for (const std::uint64_t flag : {std::uint64_t{O_CREAT}, kTemporary}) {
    rules.refuse(EPERM, "open", compare(1, SCMP_CMP_MASKED_EQ, flag, flag), bit_at);
    rules.refuse(EPERM, "openat", compare(2, SCMP_CMP_MASKED_EQ, flag, flag),
                 compare(3, SCMP_CMP_MASKED_EQ, S_ISUID, S_ISUID));
  }
  rules.refuse(ENOSYS, "openat2");  // its arguments are in memory, which a filter cannot read
}

void refuse_terminal_tricks(Rules& rules) {
  // The kernel uses only 32 bits of the request.
  for (const unsigned request : {unsigned{TIOCSTI}, unsigned{TIOCLINUX}}) {
    rules.refuse(EPERM, "ioctl", compare(1, SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, request));
  }
}

int add_rules(scmp_filter_ctx filter, SocketRule sockets) {
  Rules rules(filter);
  for (const char* call : kRefusedCalls) rules.refuse(EPERM, call);
  for (const char* call : kAsIfMissing) rules.refuse(ENOSYS, call);
  for (unsigned bit = 0; bit < 32; ++bit) {
    const std::uint64_t flag = std::uint64_t{1} << bit;
    if ((kNamespaces & flag) == 0) continue;
    rules.refuse(EPERM, "clone", compare(0, SCMP_CMP_MASKED_EQ, flag, flag));
  }
  refuse_terminal_tricks(rules);
  refuse_set_user_id(rules);
  refuse_sockets(rules, sockets);
  return rules.error();
}

Error not_made(int error) {
  return Error{ErrorKind::kInternal, fmt::format("seccomp filter: {}", errno_text(error))};
}

/// Exports through a memory file: the library writes to descriptors only.
Result<SyscallFilter> exported(scmp_filter_ctx filter) {
  const Descriptor file(::memfd_create("seccomp", MFD_CLOEXEC));
  if (!file.open()) return not_made(errno);
  if (const int result = seccomp_export_bpf(filter, file.get()); result != 0) {
    return not_made(-result);
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return not_made(errno);
  SyscallFilter program;
  program.steps.resize(static_cast<std::size_t>(status.st_size) / sizeof(SyscallFilter::Step));
  const std::size_t bytes = program.steps.size() * sizeof(SyscallFilter::Step);
  const ssize_t got = ::pread(file.get(), program.steps.data(), bytes, 0);
  if (got != static_cast<ssize_t>(bytes)) return not_made(EIO);
  return program;
}

}  // namespace

Result<SyscallFilter> make_syscall_filter(SocketRule sockets) {
  const Filter filter(seccomp_init(SCMP_ACT_ALLOW), seccomp_release);
  if (!filter) return not_made(ENOMEM);
  (void)seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS));
  // A binary tree instead of a list: frequent calls pass few comparisons.
  (void)seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);
  if (const int error = add_rules(filter.get(), sockets); error != 0) return not_made(error);
  return exported(filter.get());
}

int load_syscall_filter(const SyscallFilter& filter) {
  static_assert(sizeof(SyscallFilter::Step) == sizeof(sock_filter));
  // The kernel's structure has a non-const pointer, but the kernel does not modify the program.
  sock_fprog program{.len = static_cast<unsigned short>(filter.steps.size()),
                     .filter = reinterpret_cast<sock_filter*>(
                         const_cast<SyscallFilter::Step*>(filter.steps.data()))};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}

}  // namespace pedro
