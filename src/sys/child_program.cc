#include "sys/child_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "sys/environment.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxLineBytes = std::size_t{4} << 20;
constexpr std::size_t kPieceBytes = 64u << 10;
constexpr std::size_t kMaxLastPieces = 64;  // other processes may keep writing to the pipe

struct Pipe {
  Descriptor ours;
  Descriptor theirs;
};

Result<Pipe> make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return Error{ErrorKind::kInternal, fmt::format("pipe: {}", errno_text(errno))};
  }
  Pipe made{Descriptor(ends[0]), Descriptor(ends[1])};
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);  // the flag belongs to this end only
  return made;
}

// Returns the child's standard input; `ours` is -1 for an empty one.
Result<Pipe> make_input(ChildInput input) {
  if (input == ChildInput::kEmpty) {
    return Pipe{Descriptor(), Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC))};
  }
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return Error{ErrorKind::kInternal, fmt::format("pipe: {}", errno_text(errno))};
  }
  return Pipe{Descriptor(ends[1]), Descriptor(ends[0])};
}

// Casts away const: exec does not modify its arguments.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Runs in the child, and makes only async-signal-safe calls. Returns only on failure.
void become(const std::vector<char*>& argv, const std::vector<char*>& variables,
            const std::array<int, 3>& streams, pid_t parent) {
  ::setsid();
  // The parent may have died between fork() and prctl().
  if (::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || ::getppid() != parent) return;
  for (int i = 0; i < 3; ++i) {
    if (::dup2(streams[static_cast<std::size_t>(i)], i) < 0) return;
  }
  ::syscall(SYS_close_range, 3u, ~0u, 0u);
  // Resets handlers: they belong to the program that exec replaces. Ignored signals stay ignored,
  // except SIGPIPE.
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    const bool ignored = ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
    if (!ignored || number == SIGPIPE) ::signal(number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(argv[0], argv.data(), variables.data());
}

int code_of(const siginfo_t& end) {
  return end.si_code == CLD_EXITED ? end.si_status : 128 + end.si_status;
}

}  // namespace

Result<std::unique_ptr<ChildProgram>> ChildProgram::start(
    const std::vector<std::string>& argv, OnLine on_line,
    const std::map<std::string, std::string>& environment, ChildInput input) {
  PEDRO_TRY(Pipe in, make_input(input));
  PEDRO_TRY(Pipe out, make_pipe());
  PEDRO_TRY(Pipe err, make_pipe());
  std::map<std::string, std::string> all_variables = environment;
  all_variables.merge(real_environment().variables);
  std::vector<std::string> assignments;
  for (const auto& [name, value] : all_variables) assignments.push_back(name + "=" + value);
  const std::vector<char*> arguments = pointers_to(argv);
  const std::vector<char*> variables = pointers_to(assignments);
  const std::array<int, 3> streams = {in.theirs.get(), out.theirs.get(), err.theirs.get()};
  const pid_t parent = ::getpid();
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid != 0) ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid == 0) {
    become(arguments, variables, streams, parent);
    ::_exit(127);
  }
  if (pid < 0) return Error{ErrorKind::kInternal, fmt::format("fork: {}", errno_text(errno))};
  std::unique_ptr<ChildProgram> child(new ChildProgram());
  child->on_line_ = std::move(on_line);
  child->identity_ = identity_of(pid);
  child->pidfd_.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  child->input_ = std::move(in.ours);
  child->streams_.push_back({StandardStream::kOut, std::move(out.ours), "", false});
  child->streams_.push_back({StandardStream::kError, std::move(err.ours), "", false});
  return child;
}

ChildProgram::~ChildProgram() {
  if (exit_code_) return;
  signal(SIGKILL);
  ::waitpid(static_cast<pid_t>(identity_.pid), nullptr, 0);
}

void ChildProgram::signal(int number) const {
  // The kernel reuses the process id only after waitpid().
  if (!exit_code_) ::kill(static_cast<pid_t>(identity_.pid), number);
}

void ChildProgram::stop(const Clock& clock, long long grace_ms) {
  const long long now = clock.ticks_ms();
  if (!stopped_ms_) {
    stopped_ms_ = now;
    signal(SIGTERM);
  } else if (now - *stopped_ms_ >= grace_ms) {
    signal(SIGKILL);
  }
}

void ChildProgram::take(Stream& stream, std::string_view bytes) {
  for (std::size_t end = bytes.find('\n'); end != bytes.npos; end = bytes.find('\n')) {
    stream.rest += bytes.substr(0, end);
    if (!stream.too_long && stream.rest.size() <= kMaxLineBytes) on_line_(stream.name, stream.rest);
    stream.rest.clear();
    stream.too_long = false;
    bytes.remove_prefix(end + 1);
  }
  stream.rest += bytes;
  if (stream.rest.size() <= kMaxLineBytes) return;
  stream.rest.clear();
  stream.too_long = true;
}

bool ChildProgram::read_piece(Stream& stream) {
  if (!stream.pipe.open()) return false;
  std::array<char, kPieceBytes> buffer;
  const long count = read_some(stream.pipe.get(), buffer.data(), buffer.size());
  if (count > 0) take(stream, std::string_view(buffer.data(), static_cast<std::size_t>(count)));
  if (count == 0 || (count < 0 && errno != EAGAIN)) stream.pipe.reset();
  return count > 0;
}

void ChildProgram::look() {
  if (exit_code_) return;
  siginfo_t end{};
  const int waited =
      ::waitid(P_PID, static_cast<id_t>(identity_.pid), &end, WEXITED | WNOHANG | WNOWAIT);
  const bool ended = waited == 0 && end.si_pid != 0;
  for (Stream& stream : streams_) {
    // After its end, all its output is in the pipe.
    for (std::size_t i = 0; read_piece(stream) && ended && i < kMaxLastPieces; ++i) {
    }
  }
  if (!ended && waited == 0) return;
  for (Stream& stream : streams_) {
    if (!stream.rest.empty() && !stream.too_long) on_line_(stream.name, stream.rest);
    stream.rest.clear();
  }
  ::waitpid(static_cast<pid_t>(identity_.pid), nullptr, 0);
  exit_code_ = ended ? code_of(end) : 128 + SIGKILL;  // other code already reaped it
}

void ChildProgram::wait(const std::vector<ChildProgram*>& programs, int timeout_ms) {
  (void)wait(programs, timeout_ms, -1);
}

bool ChildProgram::wait_with_input(const std::vector<ChildProgram*>& programs, int timeout_ms) {
  return wait(programs, timeout_ms, STDIN_FILENO);
}

bool ChildProgram::wait(const std::vector<ChildProgram*>& programs, int timeout_ms, int also_fd) {
  std::vector<pollfd> fds = {{also_fd, POLLIN, 0}};  // poll() ignores a negative descriptor
  for (const ChildProgram* program : programs) {
    if (program->exit_code_) continue;
    if (program->pidfd_.open()) fds.push_back({program->pidfd_.get(), POLLIN, 0});
    for (const Stream& stream : program->streams_) {
      if (stream.pipe.open()) fds.push_back({stream.pipe.get(), POLLIN, 0});
    }
  }
  const bool ready = ::poll(fds.data(), fds.size(), timeout_ms) > 0 && fds[0].revents != 0;
  for (ChildProgram* program : programs) program->look();
  return ready;
}

void ChildProgram::write(std::string_view bytes) const {
  if (!exit_code_ && input_.open()) (void)write_all(input_.get(), bytes);
}

std::string this_program() {
  return "/proc/self/exe";
}

}  // namespace pedro
