#include "sandbox/landlocked_child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "sys/descriptor.h"

namespace pedro {
namespace {

constexpr int kReport = 3;  // a descriptor number in the child

/// A child's report of a failure.
struct Failure {
  bool confined = false;  // true: the program could not be started; false: the restrictions failed
  int error = 0;
  std::array<char, 60> place = {};
};

/// The read-only input of a child.
struct Start {
  const Confinement& confinement;
  const ResourceLimits& limits;
  const char* program = nullptr;  // null: only tries the restrictions
  const char* folder = nullptr;
  char* const* arguments = nullptr;
  char* const* variables = nullptr;
  ChildStreams streams;
  int report = -1;
};

// All code up to the end of run_child() runs in a child of a multi-threaded process. It must not
// allocate or lock, and may only make system calls.

[[noreturn, gnu::no_sanitize_address]] void give_up(bool confined, int error, const char* place) {
  Failure failure{.confined = confined, .error = error};
  for (std::size_t i = 0; place[i] != '\0' && i + 1 < failure.place.size(); ++i) {
    failure.place[i] = place[i];
  }
  (void)!::write(kReport, &failure, sizeof failure);
  ::_exit(127);
}

void require(bool done, const char* place) {
  if (!done) give_up(false, errno, place);
}

void require_none(int error, const char* place) {
  if (error != 0) give_up(false, error, place);
}

/// Closes all descriptors except 0 to 3.
void arrange_descriptors(const Start& start) {
  // Duplicates each to a high number first, so that no dup2() overwrites another.
  const int report = ::fcntl(start.report, F_DUPFD_CLOEXEC, 10);
  const int in = ::fcntl(start.streams.in, F_DUPFD_CLOEXEC, 10);
  const int out = ::fcntl(start.streams.out, F_DUPFD_CLOEXEC, 10);
  const int err = ::fcntl(start.streams.err, F_DUPFD_CLOEXEC, 10);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  ::dup3(report, kReport, O_CLOEXEC);
  ::syscall(SYS_close_range, kReport + 1, ~0u, 0);
}

void default_signals() {
  for (int number = 1; number < NSIG; ++number) {
    if (number != SIGKILL && number != SIGSTOP) ::signal(number, SIG_DFL);
  }
}

/// Drops all capabilities except those for root's own files.
void drop_capabilities() {
  constexpr std::uint32_t kKept =
      1u << CAP_CHOWN | 1u << CAP_DAC_OVERRIDE | 1u << CAP_FOWNER | 1u << CAP_FSETID;
  for (int capability = 0; capability < 64; ++capability) {
    if (capability < 32 && (kKept >> capability & 1) != 0) continue;
    // EINVAL: past the last capability. EPERM: an ordinary user's process has none.
    if (::prctl(PR_CAPBSET_DROP, capability) != 0 && (errno == EINVAL || errno == EPERM)) break;
  }
  (void)::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, 2> data{};
  require(::syscall(SYS_capget, &header, data.data()) == 0, "capget");
  data[0] = {.effective = data[0].effective & kKept,
             .permitted = data[0].permitted & kKept,
             .inheritable = 0};
  data[1] = {};
  require(::syscall(SYS_capset, &header, data.data()) == 0, "capset");
}

void limit(int resource, std::uint64_t most, const char* name) {
  if (most == 0) return;
  rlimit limits{};
  require(::getrlimit(resource, &limits) == 0, name);
  const rlim_t hard = std::min<rlim_t>(most, limits.rlim_max);
  limits = {.rlim_cur = hard, .rlim_max = hard};
  require(::setrlimit(resource, &limits) == 0, name);
}

void limit_resources(const ResourceLimits& limits) {
  limit(RLIMIT_NPROC, limits.processes, "RLIMIT_NPROC");
  limit(RLIMIT_DATA, limits.memory_bytes, "RLIMIT_DATA");
  limit(RLIMIT_FSIZE, limits.file_bytes, "RLIMIT_FSIZE");
  limit(RLIMIT_CPU, limits.cpu_s, "RLIMIT_CPU");
  const rlimit none{.rlim_cur = 0, .rlim_max = 0};
  (void)::setrlimit(RLIMIT_CORE, &none);
}

/// Makes the process the first choice of the out-of-memory killer.
void offer_to_killer() {
  const int fd = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  (void)!::write(fd, "800", 3);
  ::close(fd);
}

/// Ends the child when its starter ends. POLLERR: the starter, which reads the report, is dead.
[[gnu::no_sanitize_address]] void die_with_starter() {
  require(::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0, "PR_SET_PDEATHSIG");
  pollfd reader{.fd = kReport, .events = 0, .revents = 0};
  if (::poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR) != 0) ::_exit(127);
}

void confine(const Start& start) {
  const Confinement& to = start.confinement;
  offer_to_killer();
  drop_capabilities();
  limit_resources(start.limits);
  require(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
  require_none(restrict_by_landlock(to.landlock_abi, to.rules, to.net), "Landlock");
  require_none(load_syscall_filter(to.filter), "seccomp");
}

[[noreturn, gnu::no_sanitize_address]] void run_child(const Start& start) {
  ::setsid();
  arrange_descriptors(start);
  default_signals();
  confine(start);
  die_with_starter();  // last: a change of capabilities resets it
  if (start.program == nullptr) ::_exit(0);
  if (start.folder[0] != '\0' && ::chdir(start.folder) != 0) give_up(true, errno, "");
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(start.program, start.arguments, start.variables);
  give_up(true, errno, "");
}

/// Blocks all signals, so that no handler of this process runs in a child.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

struct Child {
  int pid = -1;
  std::optional<Failure> failure;
};

/// Returns when the program runs, or the child has ended without starting it.
Result<Child> start_child(Start& start) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return Error{ErrorKind::kInternal, fmt::format("sandbox: {}", errno_text(errno))};
  }
  const Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  start.report = theirs.get();
  Child child;
  {
    const BlockedSignals blocked;
    // Unlike fork(), it runs no handlers that libraries registered.
    child.pid = static_cast<int>(::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
    if (child.pid == 0) run_child(start);
  }
  if (child.pid < 0) {
    return Error{ErrorKind::kInternal, fmt::format("sandbox: clone: {}", errno_text(errno))};
  }
  theirs.reset();
  Failure failure;
  if (read_some(ours.get(), reinterpret_cast<char*>(&failure), sizeof failure) == sizeof failure) {
    failure.place.back() = '\0';
    child.failure = failure;
  }
  return child;
}

void reap(int pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Result<int> start_landlocked(const Confinement& confinement, const ResourceLimits& limits,
                             const ProgramStart& program, const ChildStreams& streams) {
  const std::vector<char*> arguments = program.arguments();
  const std::vector<char*> variables = program.variables();
  Start start{.confinement = confinement,
              .limits = limits,
              .program = program.program().c_str(),
              .folder = program.folder().c_str(),
              .arguments = arguments.data(),
              .variables = variables.data(),
              .streams = streams};
  PEDRO_TRY(const Child child, start_child(start));
  if (!child.failure) return child.pid;
  reap(child.pid);
  const Failure& failure = *child.failure;
  if (failure.confined) return program.failure(failure.error);
  return Error{ErrorKind::kUsage,
               fmt::format("sandbox: {}: {}", failure.place.data(), errno_text(failure.error))};
}

std::string try_confinement(const Confinement& confinement, const ResourceLimits& limits) {
  const Descriptor null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  Start start{.confinement = confinement,
              .limits = limits,
              .streams = {.in = null.get(), .out = null.get(), .err = null.get()}};
  const Result<Child> child = start_child(start);
  if (!child) return child.error().message;
  reap(child->pid);
  if (!child->failure) return "";
  return fmt::format("{}: {}", child->failure->place.data(), errno_text(child->failure->error));
}

}  // namespace pedro
