#include "sys/sandbox_child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <string_view>

#include "sys/descriptor.h"

namespace pedro {
namespace {

constexpr std::size_t kStackBytes = 128u << 10;
constexpr int kReport = 3;  // the descriptor, in a child
constexpr long kGrace_ms = 100;
constexpr long kKillGrace_ms = 2000;
constexpr std::uint64_t kMinProcesses =
    301;  // the least that a process namespace can be limited to

/// What a child writes to its report: first how it went, and where there is a keeper, the end.
struct Message {
  enum class Kind : int { kStarted, kNoProgram, kNotConfined, kEnded } kind = Kind::kStarted;
  int error = 0;
  ConfinedEnd end;
  std::array<char, 200> place = {};
};

/// Everything a child needs. It only reads it, but for `exec_error`, which the program's process
/// writes into its keeper's memory.
struct Start {
  const Confinement& confinement;
  const ResourceLimits& limits;
  const char* program = nullptr;  ///< null: only try
  const char* folder = nullptr;
  char* const* arguments = nullptr;
  char* const* variables = nullptr;
  ChildStreams streams;
  int report = -1;
  std::array<char, 64> user_map = {};
  std::array<char, 64> group_map = {};
  std::array<char, 24> max_pid = {};
  char* second_stack_top = nullptr;
  volatile int exec_error = 0;
};

// From here to where the child's part ends everything runs in a child of a process that may have
// had threads: nothing is allocated, nothing is locked, only the kernel is called. What ends the
// child does so on a stack that the address sanitizer does not know, and would speak of.

void say(const Message& message) {
  (void)!::write(kReport, &message, sizeof message);
}

[[noreturn, gnu::no_sanitize_address]] void give_up(Message::Kind kind, int error,
                                                    const char* place) {
  Message message;
  message.kind = kind;
  message.error = error;
  for (std::size_t i = 0; place[i] != '\0' && i + 1 < message.place.size(); ++i) {
    message.place[i] = place[i];
  }
  say(message);
  ::_exit(127);
}

void require(bool done, const char* place) {
  if (!done) give_up(Message::Kind::kNotConfined, errno, place);
}

/// Ends with whoever started it, from now on: it may be dead already, which shows in that nobody
/// can read what is reported.
[[gnu::no_sanitize_address]] void die_with_starter(int report) {
  require(::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0, "PR_SET_PDEATHSIG");
  pollfd reader{.fd = report, .events = 0, .revents = 0};
  if (::poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR) != 0) ::_exit(127);
}

void require_none(int error, const char* place) {
  if (error != 0) give_up(Message::Kind::kNotConfined, error, place);
}

bool write_file(const char* path, const char* text) {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const std::size_t size = std::strlen(text);
  const bool written = ::write(fd, text, size) == static_cast<ssize_t>(size);
  const int error = errno;
  ::close(fd);
  errno = error;
  return written;
}

/// Only what has a number from 0 to 3 stays open.
void arrange_descriptors(const Start& start) {
  // First out of the way of each other.
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

void enter_user_namespace(const Start& start) {
  require(write_file("/proc/self/setgroups", "deny"), "/proc/self/setgroups");
  require(write_file("/proc/self/uid_map", start.user_map.data()), "/proc/self/uid_map");
  require(write_file("/proc/self/gid_map", start.group_map.data()), "/proc/self/gid_map");
}

/// A network of its own has a loopback interface, but it is off.
void loopback_up() {
  const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  ifreq request{};
  request.ifr_name[0] = 'l';
  request.ifr_name[1] = 'o';
  if (::ioctl(fd, SIOCGIFFLAGS, &request) == 0) {
    request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP);
    (void)::ioctl(fd, SIOCSIFFLAGS, &request);  // without it loopback is refused, and no more
  }
  ::close(fd);
}

/// All but what root's own files may need: with them root can do to what is visible what it can do
/// to its own files, and nothing else.
void drop_capabilities(bool keep_file_rights) {
  constexpr std::uint64_t kFileRights =
      1u << CAP_CHOWN | 1u << CAP_DAC_OVERRIDE | 1u << CAP_FOWNER | 1u << CAP_FSETID;
  const std::uint64_t kept = keep_file_rights ? kFileRights : 0;
  for (int capability = 0; capability < 64; ++capability) {
    if ((kept >> capability & 1) != 0) continue;
    if (::prctl(PR_CAPBSET_DROP, capability) != 0) {
      // EINVAL: there are no more. EPERM: an ordinary user's process, which has none to drop.
      if (errno == EINVAL || errno == EPERM) break;
    }
  }
  (void)::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, 2> data{};
  require(::syscall(SYS_capget, &header, data.data()) == 0, "capget");
  const auto low = static_cast<std::uint32_t>(kept);
  data[0] = {
      .effective = data[0].effective & low, .permitted = data[0].permitted & low, .inheritable = 0};
  data[1] = {};
  require(::syscall(SYS_capset, &header, data.data()) == 0, "capset");
}

void limit(__rlimit_resource resource, std::uint64_t most, const char* name) {
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

void confine(const Start& start) {
  const Confinement& to = start.confinement;
  // Where memory runs out it is the first to go.
  (void)write_file("/proc/self/oom_score_adj", "800");
  if (to.user_namespace) enter_user_namespace(start);
  if (to.own_process_limit) {
    require(write_file("/proc/sys/kernel/pid_max", start.max_pid.data()), "pid_max");
  }
  if (to.mounts) {
    const char* place = "";
    const int error = to.mounts->carry_out(place);
    require_none(error, place);
    if (!to.net) loopback_up();
  }
  drop_capabilities(!to.user_namespace);
  limit_resources(start.limits);
  require(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
  if (to.landlock_abi > 0) {
    const bool net = to.net || to.mounts;  // a network of its own has nothing to refuse
    require_none(restrict_by_landlock(to.landlock_abi, to.rules, net), "Landlock");
  }
  require_none(load_syscall_filter(to.filter), "seccomp");
  // Once more, for it does not outlive a change of rights.
  die_with_starter(kReport);
}

[[gnu::no_sanitize_address]] int run_program(void* argument) {
  auto& start = *static_cast<Start*>(argument);
  sigset_t none;
  sigemptyset(&none);
  if (start.confinement.mounts) ::setsid();
  if (start.folder[0] != '\0' && ::chdir(start.folder) != 0) {
    start.exec_error = errno;
    ::_exit(127);
  }
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(start.program, start.arguments, start.variables);
  start.exec_error = errno;
  ::_exit(127);
}

/// Waits for one of the keeper's signals; 0 after `longest_ms`.
int next_signal(const sigset_t& signals, long longest_ms) {
  const timespec longest{.tv_sec = longest_ms / 1000, .tv_nsec = longest_ms % 1000 * 1'000'000};
  const int number = longest_ms < 0 ? ::sigwaitinfo(&signals, nullptr)
                                    : ::sigtimedwait(&signals, nullptr, &longest);
  return number > 0 ? number : 0;
}

/// What keeps a program: see start_confined().
class Keeper {
 public:
  explicit Keeper(int program) : program_(program) {
    sigemptyset(&signals_);
    for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals_, number);
  }

  [[noreturn, gnu::no_sanitize_address]] void keep() {
    for (Stage stage = Stage::kRunning; clear_away();) {
      if (stage == Stage::kRunning && ended_) stage = enter(Stage::kGrace, kGrace_ms);
      const int number = next_signal(signals_, stage == Stage::kRunning ? -1 : left_ms());
      if (number != 0 && number != SIGCHLD) ::kill(-1, number);
      if (stage == Stage::kRunning || left_ms() > 0) continue;
      if (stage == Stage::kTerminated) break;
      message_.end.left_children = true;
      ::kill(-1, SIGTERM);
      stage = enter(Stage::kTerminated, kKillGrace_ms);
    }
    message_.kind = Message::Kind::kEnded;
    say(message_);
    ::_exit(message_.end.code);  // and the kernel ends whoever is left
  }

 private:
  enum class Stage { kRunning, kGrace, kTerminated };

  static long now_ms() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
  }
  long left_ms() const { return std::max(0l, end_ms_ - now_ms()); }
  Stage enter(Stage stage, long for_ms) {
    end_ms_ = now_ms() + for_ms;
    return stage;
  }

  /// Whether anybody is left.
  bool clear_away() {
    for (;;) {
      int status = 0;
      const int pid = ::waitpid(-1, &status, WNOHANG);
      if (pid < 0 && errno == EINTR) continue;
      if (pid <= 0) return pid == 0;
      if (pid != program_) continue;
      ended_ = true;
      message_.end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
      message_.end.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
  }

  int program_;
  bool ended_ = false;
  long end_ms_ = 0;
  sigset_t signals_{};
  Message message_;
};

[[noreturn, gnu::no_sanitize_address]] void start_and_keep(Start& start) {
  // The keeper is a copy of us, with our environment, memory and the way to report, and the
  // program may be the same user: without this it could open all of them by way of /proc/1.
  require(::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0, "PR_SET_DUMPABLE");
  // The program borrows the keeper's memory until it is another program's.
  const int pid =
      ::clone(run_program, start.second_stack_top, CLONE_VM | CLONE_VFORK | SIGCHLD, &start);
  if (pid < 0) give_up(Message::Kind::kNotConfined, errno, "clone");
  if (start.exec_error != 0) give_up(Message::Kind::kNoProgram, start.exec_error, "");
  say(Message{});
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(fd);
  Keeper(pid).keep();
}

[[gnu::no_sanitize_address]] int run_child(void* argument) {
  auto& start = *static_cast<Start*>(argument);
  ::setsid();
  arrange_descriptors(start);
  die_with_starter(kReport);
  default_signals();
  confine(start);
  if (start.program == nullptr) ::_exit(0);
  if (start.confinement.mounts) start_and_keep(start);
  run_program(&start);
  give_up(Message::Kind::kNoProgram, start.exec_error, "");
}

// Here the child's part ends.

/// Memory for the stack of a child; a page below it faults.
class Stack {
 public:
  Stack()
      : base_(static_cast<char*>(::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0))) {
    if (base_ != MAP_FAILED) ::mprotect(base_, 4096, PROT_NONE);
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  ~Stack() {
    if (base_ != MAP_FAILED) ::munmap(base_, kStackBytes);
  }
  char* top() const { return base_ == MAP_FAILED ? nullptr : base_ + kStackBytes; }

 private:
  char* base_;
};

/// No signal's handler of ours may run in the child.
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

int clone_flags(const Confinement& confinement) {
  int flags = SIGCHLD;
  if (!confinement.mounts) return flags;
  flags |= CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
  if (confinement.user_namespace) flags |= CLONE_NEWUSER;
  if (!confinement.net) flags |= CLONE_NEWNET;
  return flags;
}

void write_maps(Start& start) {
  fmt::format_to_n(start.user_map.data(), start.user_map.size() - 1, "{0} {0} 1", ::geteuid());
  fmt::format_to_n(start.group_map.data(), start.group_map.size() - 1, "{0} {0} 1", ::getegid());
  fmt::format_to_n(start.max_pid.data(), start.max_pid.size() - 1, "{}",
                   std::max(start.limits.processes, kMinProcesses));
}

/// The child's process id and our end of its report.
Result<ConfinedChild> clone_child(Start& start) {
  const Stack first;
  const Stack second;
  int ends[2] = {-1, -1};
  if (first.top() == nullptr || second.top() == nullptr || ::pipe2(ends, O_CLOEXEC) != 0) {
    return Error{ErrorKind::kInternal, fmt::format("sandbox: {}", errno_text(errno))};
  }
  Descriptor ours(ends[0]);
  const Descriptor theirs(ends[1]);
  start.report = theirs.get();
  start.second_stack_top = second.top();
  write_maps(start);
  int pid = -1;
  {
    const BlockedSignals blocked;
    pid = ::clone(run_child, first.top(), clone_flags(start.confinement), &start);
  }
  if (pid < 0) {
    return Error{ErrorKind::kUsage, fmt::format("sandbox: namespaces: {}", errno_text(errno))};
  }
  ConfinedChild child{.pid = pid, .report = ::fcntl(ours.get(), F_DUPFD_CLOEXEC, 3)};
  return child;
}

/// Nothing where the child has ended, or has become a program, without a word.
std::optional<Message> next_message(int report) {
  Message message;
  const long count = read_some(report, reinterpret_cast<char*>(&message), sizeof message);
  if (count != sizeof message) return std::nullopt;
  message.place.back() = '\0';
  return message;
}

void forget(const ConfinedChild& child) {
  ::close(child.report);
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
  }
}

std::string not_confined(const Message& message) {
  return fmt::format("{}: {}", message.place.data(), errno_text(message.error));
}

}  // namespace

bool has_own_process_limit() {
  utsname system{};
  if (::uname(&system) != 0) return false;
  int major = 0;
  int minor = 0;
  const std::string_view release = system.release;
  const auto [end, error] = std::from_chars(release.data(), release.data() + release.size(), major);
  if (error != std::errc() || *end != '.') return false;
  std::from_chars(end + 1, release.data() + release.size(), minor);
  return major > 6 || (major == 6 && minor >= 14);
}

Result<ConfinedChild> start_confined(const Confinement& confinement, const ResourceLimits& limits,
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
  Result<ConfinedChild> child = clone_child(start);
  if (!child) return child;
  const std::optional<Message> message = next_message(child->report);
  // A program without a keeper says nothing: its report is closed when it begins.
  if (!message || message->kind == Message::Kind::kStarted) return child;
  forget(*child);
  if (message->kind == Message::Kind::kNoProgram) {
    if (message->error != ENOENT || ::access(program.program().c_str(), X_OK) != 0) {
      return program.failure(message->error);
    }
    return Error{ErrorKind::kUsage,
                 fmt::format("{}: cannot be seen from inside the sandbox; name its folder in "
                             "sandbox.read",
                             program.program())};
  }
  return Error{ErrorKind::kUsage, "sandbox: " + not_confined(*message)};
}

std::optional<ConfinedEnd> confined_end(int report) {
  const std::optional<Message> message = next_message(report);
  if (!message || message->kind != Message::Kind::kEnded) return std::nullopt;
  return message->end;
}

std::string try_confinement(const Confinement& confinement, const ResourceLimits& limits) {
  const Descriptor null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  Start start{.confinement = confinement,
              .limits = limits,
              .streams = {null.get(), null.get(), null.get()}};
  const Result<ConfinedChild> child = clone_child(start);
  if (!child) return child.error().message;
  const std::optional<Message> message = next_message(child->report);
  forget(*child);
  return message ? not_confined(*message) : "";
}

}  // namespace pedro
