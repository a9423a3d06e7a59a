#include "sys/process_table.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <set>
#include <string_view>

#include "base/text.h"
#include "sys/descriptor.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxStatBytes = 4096;
constexpr std::size_t kMaxChildrenBytes = 1u << 20;

std::string children_file(long pid, std::string_view thread) {
  return fmt::format("/proc/{}/task/{}/children", pid, thread);
}

long long number_in(std::string_view field) {
  long long number = 0;
  std::from_chars(field.data(), field.data() + field.size(), number);
  return number;
}

constexpr int kLooks = 10;  // per idle limit
constexpr double kLeastShare = 0.01;
constexpr std::size_t kMaxProcesses = 10'000;  // examined; a command with more counts as working

constexpr std::size_t kMaxEnvironmentBytes = 8u << 20;

/// Returns "" if the file is unreadable: the process may have ended or belong to another user.
std::string read_proc(const std::string& path, std::size_t max_bytes) {
  const Result<std::string> bytes = RealFileSystem().read(path, max_bytes);
  return bytes.ok() ? *bytes : "";
}

/// The leaders of all runs. A leader may have emptied its environment, so the marker alone does not
/// identify it. The mutex is held during a start, so that no other run sees an unknown leader.
struct Leaders {
  std::mutex mutex;
  std::set<int> pids;
  std::set<std::string> markers;  // of active runs
};

Leaders& leaders() {
  static Leaders all;
  return all;
}

/// Returns the common prefix of all markers of this process.
std::string marker_prefix() {
  return fmt::format("run-{}-", ::getpid());
}

/// Returns true if an orphan belongs to the run with this marker. An orphan without the marker of
/// any active run belongs to every run, so that it is always ended.
bool belongs_to(int pid, const std::string& marker, const std::set<std::string>& markers) {
  const std::string variables =
      read_proc(fmt::format("/proc/{}/environ", pid), kMaxEnvironmentBytes);
  if (variables.find(marker) != std::string::npos) return true;
  return std::none_of(markers.begin(), markers.end(), [&](const std::string& other) {
    return variables.find(other) != std::string::npos;
  });
}

/// Reaps matching children that have ended. Returns true if a matching one is alive.
bool reap(idtype_t type, int id) {
  for (;;) {
    siginfo_t info{};
    if (::waitid(type, static_cast<id_t>(id), &info, WEXITED | WNOHANG) != 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (info.si_pid == 0) return true;
  }
}

std::vector<FolderEntry> threads_of(long pid) {
  auto threads = RealFileSystem().list(fmt::format("/proc/{}/task", pid));
  return threads ? *std::move(threads) : std::vector<FolderEntry>();
}

}  // namespace

std::optional<ProcessStat> process_stat(long pid) {
  const std::string text = read_proc(fmt::format("/proc/{}/stat", pid), kMaxStatBytes);
  // The name may contain blanks and parentheses; the state follows its last parenthesis.
  const std::size_t name_end = text.rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;
  const auto fields = split(std::string_view(text).substr(name_end + 2), ' ');
  constexpr std::size_t kUserTime = 11;  // then system time, and both of reaped children
  constexpr std::size_t kStartTime = 19;
  if (fields.size() <= kStartTime || fields[0].empty()) return std::nullopt;
  ProcessStat stat{.state = fields[0].front(), .start_ticks = number_in(fields[kStartTime])};
  for (std::size_t i = 0; i < 4; ++i) stat.cpu_ticks += number_in(fields[kUserTime + i]);
  return stat;
}

std::optional<long long> process_transfers(long pid) {
  const std::string text = read_proc(fmt::format("/proc/{}/io", pid), kMaxStatBytes);
  if (text.empty()) return std::nullopt;
  long long count = 0;
  for (const std::string_view line : split_lines(text)) {
    if (line.starts_with("syscr: ") || line.starts_with("syscw: ")) {
      count += number_in(line.substr(line.find(' ') + 1));
    }
  }
  return count;
}

std::vector<int> children_of(long pid) {
  std::vector<int> children;
  for (const FolderEntry& thread : threads_of(pid)) {
    const std::string list = read_proc(children_file(pid, thread.name), kMaxChildrenBytes);
    for (const std::string_view word : split(list, ' ')) {
      int child = 0;
      const auto end = std::from_chars(word.data(), word.data() + word.size(), child);
      if (end.ec == std::errc()) children.push_back(child);
    }
  }
  return children;
}

std::size_t count_threads(std::vector<int> roots, std::size_t limit) {
  std::size_t threads = 0;
  for (std::size_t i = 0; i < roots.size() && threads < limit; ++i) {
    threads += threads_of(roots[i]).size();
    const std::vector<int> children = children_of(roots[i]);
    roots.insert(roots.end(), children.begin(), children.end());
  }
  return threads;
}

bool offers_children() {
  const std::string own = std::to_string(::getpid());
  return ::access(children_file(::getpid(), own).c_str(), R_OK) == 0;
}

ProcessLook look_at(std::vector<int> roots) {
  ProcessLook look;
  look.processes = std::move(roots);
  for (std::size_t i = 0; i < look.processes.size() && i < kMaxProcesses; ++i) {
    const auto stat = process_stat(look.processes[i]);
    if (!stat) continue;
    look.cpu_ticks += stat->cpu_ticks;
    look.waits_for_disk = look.waits_for_disk || stat->state == 'D';
    const std::optional<long long> transfers = process_transfers(look.processes[i]);
    if (!transfers) look.transfers.reset();
    if (look.transfers) *look.transfers += *transfers;
    const std::vector<int> below = children_of(look.processes[i]);
    look.processes.insert(look.processes.end(), below.begin(), below.end());
  }
  return look;
}

bool IdleWatch::is_idle(double now_s, std::uint64_t printed,
                        const std::function<ProcessLook()>& look) {
  if (std::exchange(printed_, printed) != printed) worked_s_ = now_s;
  if (now_s - looked_s_ < limit_s_ / kLooks) return false;
  ProcessLook now = look();
  if (works(now, now_s - looked_s_)) worked_s_ = now_s;
  last_ = std::move(now);
  looked_s_ = now_s;
  return now_s - worked_s_ >= limit_s_;
}

bool IdleWatch::works(const ProcessLook& now, double for_s) const {
  if (now.waits_for_disk || now.processes != last_.processes) return true;
  if (now.processes.size() >= kMaxProcesses) return true;
  if (sign_ == Sign::kTransfers) return !now.transfers || now.transfers != last_.transfers;
  const auto used = static_cast<double>(now.cpu_ticks - last_.cpu_ticks);
  return used / static_cast<double>(::sysconf(_SC_CLK_TCK)) >= kLeastShare * for_s;
}

void ProcessFamily::prepare() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  // If SIGCHLD is ignored (inherited), children end without a status to wait for.
  struct sigaction action {};
  if (::sigaction(SIGCHLD, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) {
    ::signal(SIGCHLD, SIG_DFL);
  }
}

std::string ProcessFamily::new_marker() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return fmt::format("{}{}-{}", marker_prefix(), ::gettid(), now);
}

Result<ProcessFamily> ProcessFamily::launch(std::string marker,
                                            const std::function<Result<int>()>& start) {
  const std::lock_guard lock(leaders().mutex);
  std::vector<int> strangers = children_of(::getpid());
  PEDRO_TRY(const int pid, start());
  leaders().pids.insert(pid);
  leaders().markers.insert(marker);
  return ProcessFamily(pid, std::move(marker), std::move(strangers));
}

ProcessFamily& ProcessFamily::operator=(ProcessFamily&& other) noexcept {
  std::swap(leader_, other.leader_);
  std::swap(marker_, other.marker_);
  std::swap(exit_, other.exit_);
  std::swap(strangers_, other.strangers_);
  std::swap(orphans_, other.orphans_);
  return *this;
}

ProcessFamily::~ProcessFamily() {
  if (marker_.empty()) return;
  const std::lock_guard lock(leaders().mutex);
  leaders().markers.erase(marker_);
}

std::optional<int> ProcessFamily::leader_exit() {
  if (exit_) return exit_;
  const std::lock_guard lock(leaders().mutex);
  siginfo_t info{};
  int result = 0;
  do {
    result = ::waitid(P_PID, static_cast<id_t>(leader_), &info, WEXITED | WNOHANG);
  } while (result != 0 && errno == EINTR);
  if (result != 0) {
    exit_ = 255;  // other code reaped the child
  } else if (info.si_pid != 0 && info.si_code == CLD_EXITED) {
    exit_ = info.si_status;
  } else if (info.si_pid != 0) {
    exit_ = 128 + info.si_status;
  }
  if (exit_) leaders().pids.erase(leader_);
  return exit_;
}

bool ProcessFamily::others_alive() {
  // The kernel does not reuse a group's id while a child is in it.
  bool alive = exit_ && reap(P_PGID, leader_);
  find_orphans();
  std::erase_if(orphans_, [](int pid) { return !reap(P_PID, pid); });
  return alive || !orphans_.empty();
}

void ProcessFamily::find_orphans() {
  const std::lock_guard lock(leaders().mutex);
  for (const int pid : children_of(::getpid())) {
    const bool known = leaders().pids.contains(pid) ||
                       std::count(strangers_.begin(), strangers_.end(), pid) > 0 ||
                       std::count(orphans_.begin(), orphans_.end(), pid) > 0;
    if (!known && belongs_to(pid, marker_, leaders().markers)) orphans_.push_back(pid);
  }
}

std::vector<int> ProcessFamily::roots() {
  find_orphans();
  std::vector<int> roots = orphans_;
  if (!exit_) roots.insert(roots.begin(), leader_);
  return roots;
}

void ProcessFamily::signal(int number) {
  // After the leader's end, its id stays valid only while a child is in its group.
  if (!exit_ || reap(P_PGID, leader_)) ::kill(-leader_, number);
  find_orphans();
  for (const int pid : orphans_) ::kill(pid, number);
}

}  // namespace pedro
