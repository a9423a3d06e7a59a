#include "sys/idle_watch.h"

#include <unistd.h>

#include <utility>

#include "sys/process_table.h"

namespace pedro {
namespace {

constexpr int kLooks = 10;  // per idle limit
constexpr double kLeastShare = 0.01;
constexpr std::size_t kMaxProcesses = 10'000;  // examined; a command with more counts as working

}  // namespace

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
