#include "sys/process_table.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
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

}  // namespace

std::optional<ProcessStat> process_stat(long pid) {
  const Result<std::string> text =
      RealFileSystem().read(fmt::format("/proc/{}/stat", pid), kMaxStatBytes);
  if (!text) return std::nullopt;
  // The name may contain blanks and parentheses; the state follows its last parenthesis.
  const std::size_t name_end = text->rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;
  const auto fields = split(std::string_view(*text).substr(name_end + 2), ' ');
  constexpr std::size_t kUserTime = 11;  // then system time, and both of reaped children
  constexpr std::size_t kStartTime = 19;
  if (fields.size() <= kStartTime || fields[0].empty()) return std::nullopt;
  ProcessStat stat{.state = fields[0].front(), .start_ticks = number_in(fields[kStartTime])};
  for (std::size_t i = 0; i < 4; ++i) stat.cpu_ticks += number_in(fields[kUserTime + i]);
  return stat;
}

std::optional<long long> process_transfers(long pid) {
  const Result<std::string> text =
      RealFileSystem().read(fmt::format("/proc/{}/io", pid), kMaxStatBytes);
  if (!text) return std::nullopt;
  long long count = 0;
  for (const std::string_view line : split_lines(*text)) {
    if (line.starts_with("syscr: ") || line.starts_with("syscw: ")) {
      count += number_in(line.substr(line.find(' ') + 1));
    }
  }
  return count;
}

namespace {

std::vector<FolderEntry> threads_of(long pid) {
  auto threads = RealFileSystem().list(fmt::format("/proc/{}/task", pid));
  return threads ? *std::move(threads) : std::vector<FolderEntry>();
}

}  // namespace

std::vector<int> children_of(long pid) {
  std::vector<int> children;
  for (const FolderEntry& thread : threads_of(pid)) {
    const Result<std::string> list =
        RealFileSystem().read(children_file(pid, thread.name), kMaxChildrenBytes);
    if (!list) continue;
    for (const std::string_view word : split(*list, ' ')) {
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

}  // namespace pedro
