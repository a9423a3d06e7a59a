#include "sys/process_alive.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "sys/descriptor.h"
#include "sys/process_table.h"

namespace pedro {
ProcessIdentity this_process() {
  return identity_of(::getpid());
}

ProcessIdentity identity_of(long pid) {
  const auto stat = process_stat(pid);
  return {pid, stat ? stat->start_ticks : 0};
}

bool process_alive(const ProcessIdentity& process) {
  if (process.pid <= 0) return false;
  if (::kill(static_cast<pid_t>(process.pid), 0) != 0 && errno != EPERM) return false;
  const auto stat = process_stat(process.pid);
  if (!stat) return true;  // no /proc: relies on the id alone
  if (stat->state == 'Z' || stat->state == 'X') return false;
  return process.start_ticks == 0 || stat->start_ticks == 0 ||
         stat->start_ticks == process.start_ticks;
}

Status end_process(const ProcessIdentity& process) {
  const auto refused = [&process](std::string_view why) {
    return Error{ErrorKind::kUsage, fmt::format("process {}: {}", process.pid, why)};
  };
  if (process.pid <= 0 || process.start_ticks == 0) return refused("cannot be identified");
  // The pidfd keeps referring to this process, even if its id is reused.
  const Descriptor held(
      static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(process.pid), 0)));
  if (!held.open()) return refused(errno == ESRCH ? "is gone" : errno_text(errno));
  const auto stat = process_stat(process.pid);
  if (!stat || stat->start_ticks != process.start_ticks) return refused("is gone");
  if (::syscall(SYS_pidfd_send_signal, held.get(), SIGTERM, nullptr, 0) == 0) return {};
  return refused(errno == ESRCH ? "is gone" : errno_text(errno));
}

}  // namespace pedro
