#include "choose_job.h"

namespace pedro {

Result<std::string> choose_job(const JobStore& store, const std::string& given) {
  if (!given.empty()) return store.find(given);
  PEDRO_TRY(const std::vector<JobSummary> jobs, store.list(1));
  if (jobs.empty()) return usage_error("there are no jobs yet");
  return jobs.front().id;
}

}  // namespace pedro
