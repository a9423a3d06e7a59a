#pragma once

#include <string>

#include "job/job_store.h"

namespace pedro {

/// Returns the job that `given` names (see JobStore::find), or the newest if it is empty.
Result<std::string> choose_job(const JobStore& store, const std::string& given);

}  // namespace pedro
