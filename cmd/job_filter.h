#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "monitor/job_figures.h"

namespace pedro {

/// A selection of jobs.
struct JobFilter {
  std::string job;    ///< an id; "": all jobs
  std::string since;  ///< "7d", see parse_age(); "": no limit
  std::string model;  ///< a name, with '*' and '?' as in the table of models; "": any
  std::size_t max_jobs = 10000;
};

/// Adds the flags -since, -model and -max.
void add_job_filter(CLI::App& command, JobFilter& choice);

/// Returns the milliseconds of "90m", "24h", "7d" or "2w". Error (kUsage) for other texts; it names
/// `flag`.
Result<long long> parse_age(const std::string& flag, const std::string& text);

/// Returns the figures of the selected jobs, newest first. Reports unreadable journals on stderr
/// and skips them, unless the job was named.
Result<std::vector<JobFigures>> figures_of_jobs(CommandContext& context, const JobFilter& choice);

}  // namespace pedro
