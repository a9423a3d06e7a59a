#include "job_filter.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "command.h"
#include "tokenizer/model_registry.h"

namespace pedro {
namespace {

constexpr long long kMinute = 60'000;

Result<JobFigures> figures_of(CommandContext& context, const JobStore& store,
                              const std::string& id) {
  PEDRO_RETURN_IF_ERROR(store.require(id));
  Result<JobFigures> figures = read_figures(context.files, store.journal_path(id));
  if (figures) figures->id = id;  // an incomplete journal may lack it
  return figures;
}

}  // namespace

void add_job_filter(CLI::App& command, JobFilter& choice) {
  command.add_option("--since", choice.since, "Jobs that began in this time: 90m, 24h, 7d, 2w");
  command.add_option("--model", choice.model, "Jobs of this model; '*' and '?' are wildcards");
  command.add_option("--max", choice.max_jobs, "At most this many, the newest (default: 10000)")
      ->check(CLI::Range(1, 100000));
}

Result<long long> parse_age(const std::string& flag, const std::string& text) {
  long long count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string unit(end, text.data() + text.size());
  const long long ms = unit == "m"   ? kMinute
                       : unit == "h" ? 60 * kMinute
                       : unit == "d" ? 24 * 60 * kMinute
                       : unit == "w" ? 7 * 24 * 60 * kMinute
                                     : 0;
  if (error == std::errc() && ms > 0 && count > 0 && count <= 100'000) return count * ms;
  return usage_error(fmt::format("{} {}: expected a time such as 90m, 24h, 7d or 2w", flag, text));
}

Result<std::vector<JobFigures>> figures_of_jobs(CommandContext& context, const JobFilter& choice) {
  long long first_ms = 0;
  if (!choice.since.empty()) {
    PEDRO_TRY(const long long age, parse_age("-since", choice.since));
    first_ms = context.clock.now_ms() - age;
  }
  PEDRO_TRY(const JobStore store, open_job_store(context));
  std::vector<JobFigures> all;
  if (!choice.job.empty()) {
    PEDRO_TRY(const std::string id, choose_job(store, choice.job));
    PEDRO_TRY(JobFigures one, figures_of(context, store, id));
    all.push_back(std::move(one));
    return all;
  }
  PEDRO_TRY(const std::vector<JobSummary> jobs, store.list(choice.max_jobs));
  const std::string first = to_rfc3339(std::max(0LL, first_ms));
  for (const JobSummary& job : jobs) {
    if (job.started < first) continue;
    Result<JobFigures> one = figures_of(context, store, job.id);
    if (!one) {
      print_note(context.global, fmt::format("{} is skipped: {}", job.id, one.error().message));
    } else if (choice.model.empty() || fits_pattern(choice.model, one->model)) {
      all.push_back(*std::move(one));
    }
  }
  return all;
}

}  // namespace pedro
