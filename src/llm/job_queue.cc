#include "llm/job_queue.h"

#include <set>
#include <utility>

namespace pedro {

std::optional<JobQueue::Turn> JobQueue::take() {
  std::set<std::pair<std::string_view, std::string_view>> full;
  for (auto job = waiting_.begin(); job != waiting_.end(); ++job) {
    if (full.contains({job->before, job->only})) continue;
    const Turn turn{job->index, pool_.place_for(job->before, job->only)};
    if (turn.server || pool_.gone_for(kMaxGoneMs, job->only)) {
      waiting_.erase(job);
      return turn;
    }
    full.emplace(job->before, job->only);
  }
  return std::nullopt;
}

}  // namespace pedro
