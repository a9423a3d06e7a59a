#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.h"
#include "job_filter.h"
#include "monitor/figure_text.h"
#include "monitor/stats_text.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

std::string title_of(const JobFigures& job) {
  const std::string end = !job.outcome.empty() ? job.outcome : "unfinished";
  return fmt::format("{}  {}\n{}, {}, {} checks, {} failed\n\n", job.id, job.task, end,
                     duration_text(static_cast<double>(job.ms())), job.checks, job.checks_failed);
}

Result<int> run(CommandContext& context, const JobFilter& choice) {
  if (!choice.job.empty() && (!choice.since.empty() || !choice.model.empty())) {
    return usage_error("-since and -model select from all jobs: give no id with them");
  }
  PEDRO_TRY(const std::vector<JobFigures> jobs, figures_of_jobs(context, choice));
  PEDRO_TRY(const ModelRegistry models, load_registry(context));
  FigureSums sums(models);
  for (const JobFigures& job : jobs) sums.add(job);
  const bool one = !choice.job.empty();
  if (context.global.json) {
    Json json = to_json(sums);
    if (one) json.update(to_json(jobs.front(), models.model(jobs.front().model)));
    print_json(json);
    return kExitDone;
  }
  if (jobs.empty()) {
    print_note(context.global, "no jobs");
    return kExitDone;
  }
  print(one ? title_of(jobs.front())
            : fmt::format("{} job{} since {}\n\n", jobs.size(), jobs.size() == 1 ? "" : "s",
                          to_rfc3339(jobs.back().started_ms).substr(0, 10)));
  print(to_stats_text(sums));
  return kExitDone;
}

}  // namespace

CommandFunction add_stats_command(CLI::App& command) {
  auto choice = std::make_shared<JobFilter>();
  command.add_option("job", choice->job, "A job's id (default: all jobs)");
  add_job_filter(command, *choice);
  return running(run, choice);
}

}  // namespace pedro
