#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

#include "sys/descriptor.h"
#include "sys/interrupted.h"
#include "sys/process.h"
#include "sys/process_table.h"
#include "sys/run_process.h"
#include "sys/start_process.h"

namespace pedro {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr double kCancelPoll_s = 0.1;
constexpr double kCountPoll_s = 0.03;   // while threads are counted
constexpr double kEndingPoll_s = 0.01;  // while processes end that no descriptor reports
constexpr double kLeftoverGrace_s = 0.1;
constexpr double kKillGrace_s = 2;
constexpr double kInterruptGrace_s = 1;
constexpr std::size_t kChunkBytes = 64u << 10;
constexpr std::size_t kMaxLastBytes = 1u << 20;  // capacity limit of a pipe

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

/// The parent's end of a child's stream.
struct OutputPipe {
  explicit OutputPipe(std::size_t max_bytes) : kept(max_bytes) {}

  /// Creates the pipe and returns the child's end, which is not open on failure.
  Descriptor open() {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) return {};
    ours.reset(ends[0]);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);  // the flag belongs to this end only
    return Descriptor(ends[1]);
  }

  /// Reads one piece of available output. Returns true if more may be available.
  bool read_piece() {
    if (!ours.open()) return false;
    std::array<char, kChunkBytes> buffer;
    const long count = read_some(ours.get(), buffer.data(), buffer.size());
    if (count > 0) kept.add(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    if (count == 0 || (count < 0 && errno != EAGAIN)) ours.reset();
    return count > 0;
  }

  /// Reads the rest of the pipe. The limit covers processes that could not be ended and keep
  /// writing.
  void read_rest() {
    for (std::size_t i = 0; i < kMaxLastBytes / kChunkBytes && read_piece();) ++i;
  }

  Descriptor ours;
  BoundedOutput kept;
};

/// Returns the child's stdin. A memory file, unlike a pipe, can be written before the child starts
/// and never blocks.
Result<Descriptor> input_for(const Command& command) {
  Descriptor fd(command.input ? ::memfd_create("stdin", MFD_CLOEXEC)
                              : ::open("/dev/null", O_RDONLY | O_CLOEXEC));
  int error = fd.open() ? 0 : errno;
  if (error == 0 && command.input) {
    error = write_all(fd.get(), *command.input);
    if (error == 0 && ::lseek(fd.get(), 0, SEEK_SET) != 0) error = errno;
  }
  if (error == 0) return fd;
  return Error{ErrorKind::kInternal,
               fmt::format("{}: stdin: {}", command.argv[0], errno_text(error))};
}

Descriptor open_pidfd(int pid) {
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

// Lets this thread run before all others of the machine while it counts threads, as far as its
// rights allow. It must not starve among the processes that it has to end.
class UrgentThread {
 public:
  explicit UrgentThread(bool is_wanted) {
    if (!is_wanted || ::sched_getparam(0, &before_) != 0) return;
    policy_ = ::sched_getscheduler(0);
    const sched_param first{.sched_priority = 1};
    is_set_ = ::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first) == 0;
  }
  UrgentThread(const UrgentThread&) = delete;
  UrgentThread& operator=(const UrgentThread&) = delete;
  ~UrgentThread() {
    if (is_set_) (void)::sched_setscheduler(0, policy_, &before_);
  }

 private:
  sched_param before_{};
  int policy_ = SCHED_OTHER;
  bool is_set_ = false;
};

/// One command from its start to the end of all its processes.
class Run {
 public:
  Run(const Command& command, const CancelToken& cancel, std::size_t max_threads)
      : command_(command),
        cancel_(cancel),
        max_threads_(max_threads),
        out_(command.max_output_bytes),
        err_(command.max_output_bytes) {}

  Status start(const ChildStarter& start_child);
  /// Waits at most 100 ms for an event and handles it. Returns false at the end.
  bool step();
  Result<ProcessResult> result();

 private:
  enum class Stage {
    kRunning,      // until it ends, a timeout or cancellation
    kInterrupted,  // a timeout; processes without children got SIGINT
    kLingering,    // the leader has ended; other processes get a grace period
    kTerminated,
    kKilled,
    kDone
  };

  double now_s() const { return seconds_since(started_); }
  void wait();
  void advance();
  bool is_idle();
  void interrupt_workers();
  bool has_too_many_threads();
  void enter(Stage stage, double for_s);
  void end_all();

  const Command& command_;
  const CancelToken& cancel_;
  std::size_t max_threads_;  // 0: no limit
  OutputPipe out_;
  OutputPipe err_;
  ProcessFamily family_;
  Descriptor pidfd_;
  std::optional<IdleWatch> idle_watch_;
  std::optional<IdleWatch> spin_watch_;
  SteadyClock::time_point started_ = SteadyClock::now();
  Stage stage_ = Stage::kRunning;
  double stage_end_s_ = 0;
  double next_check_s_ = 0;
  double next_count_s_ = 0;
  bool interrupted_ = false;
  bool orphans_told_ = false;
  ProcessResult result_;
};

Status Run::start(const ChildStarter& start_child) {
  ProcessFamily::prepare();
  PEDRO_TRY(Descriptor in, input_for(command_));
  const Descriptor out = command_.out_fd < 0 ? out_.open() : Descriptor();
  const Descriptor err = command_.merge_streams ? Descriptor() : err_.open();
  const int in_fd = command_.in_fd < 0 ? in.get() : command_.in_fd;
  const int out_fd = command_.out_fd < 0 ? out.get() : command_.out_fd;
  if (out_fd < 0 || (!err.open() && !command_.merge_streams)) {
    return Error{ErrorKind::kInternal, fmt::format("pipe: {}", errno_text(errno))};
  }
  const std::string marker = ProcessFamily::new_marker();
  const ChildStreams streams{
      .in = in_fd, .out = out_fd, .err = command_.merge_streams ? out_fd : err.get()};
  PEDRO_TRY(ProcessFamily family,
            ProcessFamily::launch(marker, [&] { return start_child(marker, streams); }));
  family_ = std::move(family);
  pidfd_ = open_pidfd(family_.leader());
  stage_end_s_ = command_.timeout_s;
  // Without a list of processes, activity cannot be detected.
  if (!offers_children()) return {};
  if (command_.idle_timeout_s > 0) idle_watch_.emplace(command_.idle_timeout_s);
  if (command_.spin_timeout_s > 0) {
    spin_watch_.emplace(command_.spin_timeout_s, IdleWatch::Sign::kTransfers);
  }
  return {};
}

bool Run::step() {
  wait();
  out_.read_piece();
  err_.read_piece();
  // Limits how often a flood of output triggers a search for processes.
  if (now_s() >= next_check_s_ || (stage_ == Stage::kRunning && pidfd_.open())) advance();
  return stage_ != Stage::kDone;
}

void Run::wait() {
  std::array<pollfd, 3> fds{};
  nfds_t count = 0;
  for (const Descriptor* fd : {&out_.ours, &err_.ours, &pidfd_}) {
    if (fd->open()) fds[count++] = {.fd = fd->get(), .events = POLLIN, .revents = 0};
  }
  const bool told = stage_ == Stage::kRunning && pidfd_.open();
  const double running_s = max_threads_ > 0 ? kCountPoll_s : kCancelPoll_s;
  const double longest_s = told ? running_s : kEndingPoll_s;
  const double left_s = std::clamp(stage_end_s_ - now_s(), 0.0, longest_s);
  ::poll(fds.data(), count, static_cast<int>(std::ceil(left_s * 1000)));
}

void Run::advance() {
  next_check_s_ = now_s() + kEndingPoll_s;
  const bool leader_gone = family_.leader_exit().has_value();
  if (leader_gone) pidfd_.reset();
  if (leader_gone && !family_.others_alive()) {
    stage_ = Stage::kDone;
    return;
  }
  if (cancel_.cancelled() && !interrupted_) {
    interrupted_ = true;
    if (stage_ < Stage::kTerminated) end_all();
  }
  if ((stage_ == Stage::kRunning || stage_ == Stage::kLingering) && has_too_many_threads()) {
    family_.signal(SIGKILL);  // SIGTERM would give a fork bomb time
    return enter(Stage::kKilled, kKillGrace_s);
  }
  switch (stage_) {
    case Stage::kRunning:
      if (leader_gone) {
        enter(Stage::kLingering, kLeftoverGrace_s);
      } else if (now_s() >= stage_end_s_ || is_idle()) {
        result_.timed_out = true;
        interrupt_workers();
      }
      break;
    case Stage::kInterrupted:
      if (leader_gone || now_s() >= stage_end_s_) end_all();
      break;
    case Stage::kLingering:
      if (now_s() < stage_end_s_) break;
      result_.left_children = true;
      end_all();
      break;
    case Stage::kTerminated:
      // Processes that left the group become children, and reachable, when the leader ends.
      if (leader_gone && !std::exchange(orphans_told_, true)) family_.signal(SIGTERM);
      if (now_s() < stage_end_s_) break;
      family_.signal(SIGKILL);
      enter(Stage::kKilled, kKillGrace_s);
      break;
    case Stage::kKilled:
      // More orphans appear as their ancestors end.
      family_.signal(SIGKILL);
      if (now_s() >= stage_end_s_) stage_ = Stage::kDone;
      break;
    case Stage::kDone:
      break;
  }
}

bool Run::is_idle() {
  const std::uint64_t printed = out_.kept.bytes() + err_.kept.bytes();
  const auto ended_by = [&](std::optional<IdleWatch>& watch) {
    return watch && watch->is_idle(now_s(), printed, [this] { return look_at(family_.roots()); });
  };
  if (ended_by(idle_watch_)) {
    result_.idle_s = command_.idle_timeout_s;
  } else if (ended_by(spin_watch_)) {
    result_.spin_s = command_.spin_timeout_s;
  }
  return result_.idle_s > 0 || result_.spin_s > 0;
}

// Interrupts the processes that do the work: those without children. Their parents then report the
// end, as after Ctrl-C; a sandbox's own process would end all others at once.
void Run::interrupt_workers() {
  if (!offers_children()) return end_all();
  for (const int pid : look_at(family_.roots()).processes) {
    if (children_of(pid).empty()) ::kill(pid, SIGINT);
  }
  enter(Stage::kInterrupted, kInterruptGrace_s);
}

bool Run::has_too_many_threads() {
  if (max_threads_ == 0 || now_s() < next_count_s_) return false;
  next_count_s_ = now_s() + kCountPoll_s;
  if (count_threads(family_.roots(), max_threads_ + 1) <= max_threads_) return false;
  result_.notes.push_back(
      fmt::format("the command had more than {} processes and threads, so it was killed: "
                  "sandbox.max_processes",
                  max_threads_));
  return true;
}

void Run::enter(Stage stage, double for_s) {
  stage_ = stage;
  stage_end_s_ = now_s() + for_s;
}

void Run::end_all() {
  family_.signal(SIGTERM);
  enter(Stage::kTerminated, kKillGrace_s);
}

Result<ProcessResult> Run::result() {
  if (interrupted_) return interrupted(cancel_);
  out_.read_rest();
  err_.read_rest();
  result_.exit_code = family_.leader_exit().value_or(128 + SIGKILL);
  result_.out = out_.kept.text();
  result_.out_cut = out_.kept.is_cut();
  result_.err = err_.kept.text();
  result_.duration_s = now_s();
  return std::move(result_);
}

}  // namespace

Result<ProcessResult> run_process(const Command& command, const CancelToken& cancel,
                                  const ChildStarter& start, std::size_t max_threads) {
  if (cancel.cancelled()) return interrupted(cancel);
  Run run(command, cancel, offers_children() ? max_threads : 0);
  PEDRO_RETURN_IF_ERROR(run.start(start));
  const UrgentThread urgent(max_threads > 0);
  while (run.step()) {
  }
  return run.result();
}

Result<ProcessResult> RealProcessRunner::run(const Command& command, const CancelToken& cancel) {
  return run_process(command, cancel, [&](const std::string& marker, const ChildStreams& streams) {
    auto environment = environment_for(command, marker);
    if (!command.environment.contains("PATH")) {
      environment["PATH"] = path_outside_repository(environment["PATH"], command.folder);
    }
    return start_process(command, environment, streams);
  });
}

std::string RealProcessRunner::find(const std::string& name) const {
  const char* path = ::getenv("PATH");
  const Result<std::string> found =
      find_program(name, path_outside_repository(path == nullptr ? "" : path, ""));
  return found.ok() ? *found : "";
}

}  // namespace pedro
