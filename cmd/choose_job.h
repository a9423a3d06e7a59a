#pragma once

#include <string>

#include "job/job_store.h"

namespace pedro {

/// The id the user gave, or the newest job where none was given.
Result<std::string> choose_job(const JobStore& store, const std::string& given);

}  // namespace pedro
