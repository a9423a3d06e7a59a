#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "monitor/job_figures.h"

namespace pedro {

/// Which jobs' figures are wanted.
struct JobFilter {
  std::string job;    ///< an id; "" is all of them
  std::string since;  ///< "7d", see parse_age(); "" is ever
  std::string model;  ///< a name, with '*' and '?' as in the table of models; "" is any
  std::size_t max_jobs = 10000;
};

/// The flags -since, -model and -max.
void add_job_filter(CLI::App& command, JobFilter& choice);

/// Milliseconds of "90m", "24h", "7d" or "2w", given with `flag`. Error (kUsage) for other texts.
Result<long long> parse_age(const std::string& flag, const std::string& text);

/// The figures of those jobs, the newest first. Journals that cannot be read are told on stderr
/// and left out, unless the job was named.
Result<std::vector<JobFigures>> figures_of_jobs(CommandContext& context, const JobFilter& choice);

}  // namespace pedro
