#include "sys/process_family.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <set>
#include <vector>

#include "base/text.h"
#include "sys/descriptor.h"
#include "sys/file_system.h"
#include "sys/process_table.h"

namespace pedro {
namespace {

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

}  // namespace

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
