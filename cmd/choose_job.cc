#include "choose_job.h"

#include <fmt/format.h>

#include "job/job_id.h"

namespace pedro {

Result<std::string> choose_job(const JobStore& store, const std::string& given) {
  if (!given.empty()) {
    if (is_job_id(given)) return given;
    return Error{ErrorKind::kUsage,
                 fmt::format("'{}' is no job id; `pedrocli list` shows them", given)};
  }
  const Result<std::vector<JobSummary>> jobs = store.list(1);
  if (!jobs) return jobs.error();
  if (jobs->empty()) return Error{ErrorKind::kUsage, "there are no jobs yet"};
  return jobs->front().id;
}

}  // namespace pedro
