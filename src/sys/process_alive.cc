#include "sys/process_alive.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "sys/descriptor.h"

namespace pedro {
namespace {

// What follows the process' name in /proc/PID/stat (proc(5)): state first, start time the 20th.
// The name itself may hold blanks and parentheses. Empty where there is no such file.
std::string stat_fields(long pid) {
  const int file = ::open(fmt::format("/proc/{}/stat", pid).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  std::array<char, 1024> buffer{};
  const ssize_t bytes = ::read(file, buffer.data(), buffer.size());
  ::close(file);
  if (bytes <= 0) return "";
  const std::string_view text(buffer.data(), static_cast<std::size_t>(bytes));
  const std::size_t name_end = text.rfind(") ");
  return name_end == std::string_view::npos ? "" : std::string(text.substr(name_end + 2));
}

long long start_ticks_in(std::string_view fields) {
  constexpr std::size_t kStartTime = 19;
  const std::vector<std::string_view> all = split(fields, ' ');
  long long ticks = 0;
  if (all.size() > kStartTime) {
    const std::string_view field = all[kStartTime];
    std::from_chars(field.data(), field.data() + field.size(), ticks);
  }
  return ticks;
}

}  // namespace

ProcessIdentity this_process() {
  return identity_of(::getpid());
}

ProcessIdentity identity_of(long pid) {
  return {pid, start_ticks_in(stat_fields(pid))};
}

bool process_alive(const ProcessIdentity& process) {
  if (process.pid <= 0) return false;
  if (::kill(static_cast<pid_t>(process.pid), 0) != 0 && errno != EPERM) return false;
  const std::string fields = stat_fields(process.pid);
  if (fields.empty()) return true;  // no /proc: the number has to do
  if (fields.starts_with('Z') || fields.starts_with('X')) return false;
  const long long ticks = start_ticks_in(fields);
  return process.start_ticks == 0 || ticks == 0 || ticks == process.start_ticks;
}

Status end_process(const ProcessIdentity& process) {
  const auto refused = [&process](std::string_view why) {
    return Error{ErrorKind::kUsage, fmt::format("process {}: {}", process.pid, why)};
  };
  if (process.pid <= 0 || process.start_ticks == 0) return refused("is not known well enough");
  // From here on the number cannot be given to another process unnoticed.
  const Descriptor held(
      static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(process.pid), 0)));
  if (!held.open()) return refused(errno == ESRCH ? "is gone" : errno_text(errno));
  const std::string fields = stat_fields(process.pid);
  if (fields.empty() || start_ticks_in(fields) != process.start_ticks) return refused("is gone");
  if (::syscall(SYS_pidfd_send_signal, held.get(), SIGTERM, nullptr, 0) == 0) return {};
  return refused(errno == ESRCH ? "is gone" : errno_text(errno));
}

}  // namespace pedro
