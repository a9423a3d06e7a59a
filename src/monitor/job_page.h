#pragma once

#include <span>
#include <string>

#include "monitor/figure_sums.h"
#include "monitor/job_figures.h"

namespace pedro {

/// A page (html_page()) about one job: what was in the conversation, what of it came from the
/// cache, where the time went, how tools did, what it cost.
std::string job_page(const JobFigures& job, const ModelRegistry& models);

/// The same about many jobs, the newest first: what they took together, a row for each, and the
/// charts of the newest 30.
std::string jobs_page(std::span<const JobFigures> jobs, const ModelRegistry& models);

}  // namespace pedro
