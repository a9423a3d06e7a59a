#pragma once

#include <string>

#include "job/job_store.h"

namespace pedro {

/// The job that the user named (see JobStore::find), or the newest where they named none.
Result<std::string> choose_job(const JobStore& store, const std::string& given);

}  // namespace pedro
