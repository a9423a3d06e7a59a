#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.h"
#include "job/read_journal.h"
#include "job_filter.h"
#include "monitor/conversation_html.h"
#include "monitor/figure_text.h"
#include "monitor/job_page.h"
#include "sys/terminal.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

struct ReportOptions {
  JobFilter choice;
  bool all = false;
  std::string out;
};

Result<std::string> page_of(CommandContext& context, JobFilter choice, bool all) {
  if (all && !choice.job.empty()) return usage_error("-all covers every job: give no id with it");
  if (!all && (!choice.since.empty() || !choice.model.empty())) {
    return usage_error("-since and -model select from all jobs: give -all with them");
  }
  if (!all && choice.job.empty()) {
    PEDRO_TRY(const JobStore store, open_job_store(context));
    PEDRO_TRY(choice.job, choose_job(store, ""));
  }
  PEDRO_TRY(const std::vector<JobFigures> jobs, figures_of_jobs(context, choice));
  PEDRO_TRY(const ModelRegistry models, load_registry(context));
  if (all) return jobs_page(jobs, models);
  PEDRO_TRY(const JobStore store, open_job_store(context));
  ConversationHtml rounds;
  PEDRO_RETURN_IF_ERROR(read_journal(context.files, store.journal_path(jobs.front().id),
                                     [&rounds](const Json& event) { rounds.hear(event); }));
  return job_page(jobs.front(), models, rounds.html());
}

Result<int> run(CommandContext& context, const ReportOptions& options) {
  if (options.out.empty() && is_terminal(StandardStream::kOut)) {
    return usage_error("cannot print a page on a terminal: give -o FILE, or redirect the output");
  }
  PEDRO_TRY(const std::string page, page_of(context, options.choice, options.all));
  if (options.out.empty() || options.out == "-") {
    print(page);
    return kExitDone;
  }
  if (Status written = context.files.write_atomic(options.out, page, 0644); !written) {
    return written.error().at("-o");
  }
  print_note(context.global, options.out + ": written; open it in a browser");
  return kExitDone;
}

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

CommandFunction add_report_command(CLI::App& command) {
  auto options = std::make_shared<ReportOptions>();
  command.add_option("job", options->choice.job, "The job's id (default: the newest)");
  command.add_flag("--all", options->all, "One page about all jobs");
  add_job_filter(command, options->choice);
  command.add_option("--o,--out", options->out,
                     "Write the page to this file (default: standard output)");
  return running(run, options);
}

CommandFunction add_stats_command(CLI::App& command) {
  auto choice = std::make_shared<JobFilter>();
  command.add_option("job", choice->job, "A job's id (default: all jobs)");
  add_job_filter(command, *choice);
  return running(run, choice);
}

}  // namespace pedro
