#include "monitor/figure_sums.h"

#include <algorithm>

namespace pedro {
namespace {

constexpr double kPriceTokens = 1e6;

void add_usage(Sums& sums, const Usage& usage, const KnownModel* model) {
  ++sums.inferences;
  sums.usage += usage;
  sums.cost += cost_of(usage, model);
}

template <typename Row>
Row& row_named(std::vector<Row>& rows, const std::string& name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  if (found != rows.end()) return *found;
  rows.push_back({});
  rows.back().name = name;
  return rows.back();
}

// Returns the phase of the inference that follows the compaction, or of the last inference if none
// follows.
std::size_t phase_of(const JobFigures& job, const CompactionFigures& one) {
  if (job.inferences.empty()) return 0;
  return job.inferences[std::min(one.inference, job.inferences.size() - 1)].phase;
}

}  // namespace

Cost& Cost::operator+=(const Cost& more) {
  dollars += more.dollars;
  at_most = at_most || more.at_most;
  at_least = at_least || more.at_least;
  unpriced += more.unpriced;
  return *this;
}

Sums& Sums::operator+=(const Sums& more) {
  inferences += more.inferences;
  usage += more.usage;
  missed_tokens += more.missed_tokens;
  compactions += more.compactions;
  saved_tokens += more.saved_tokens;
  hooks += more.hooks;
  hook_s += more.hook_s;
  retries += more.retries;
  failed_requests += more.failed_requests;
  ms += more.ms;
  cost += more.cost;
  return *this;
}

Cost cost_of(const Usage& usage, const KnownModel* model) {
  if (model == nullptr || !model->price_in || !model->price_out) return {.unpriced = 1};
  const double cached = model->price_cached.value_or(*model->price_in);
  const double written = model->price_written.value_or(*model->price_in);
  const long long read = usage.prompt_tokens - usage.cached_tokens - usage.cache_written_tokens;
  return {.dollars = (static_cast<double>(read) * *model->price_in +
                      static_cast<double>(usage.cache_written_tokens) * written +
                      static_cast<double>(usage.cached_tokens) * cached +
                      static_cast<double>(usage.generated_tokens) * *model->price_out) /
                     kPriceTokens,
          .at_most = usage.cached_tokens > 0 && !model->price_cached,
          .at_least = usage.cache_written_tokens > 0 && !model->price_written};
}

std::vector<Sums> phase_sums(const JobFigures& job, const KnownModel* model) {
  std::vector<Sums> phases(job.phases.size());
  for (std::size_t i = 0; i < phases.size(); ++i) phases[i].ms = job.phases[i].ms;
  for (const InferenceFigures& one : job.inferences) {
    add_usage(phases[one.phase], one.usage, model);
    phases[one.phase].missed_tokens += one.missed_tokens;
  }
  for (const CompactionFigures& one : job.compactions) {
    if (phases.empty()) break;
    Sums& phase = phases[phase_of(job, one)];
    ++phase.compactions;
    phase.saved_tokens += one.saved();
    if (one.asked.prompt_tokens > 0) add_usage(phase, one.asked, model);
  }
  return phases;
}

Sums job_sums(const JobFigures& job, const std::vector<Sums>& phases) {
  Sums whole;
  for (const Sums& one : phases) whole += one;
  whole.ms = job.ms();
  whole.hooks = job.hooks;
  whole.hook_s = job.hook_s;
  whole.retries = job.retries;
  whole.failed_requests = job.failed_requests;
  return whole;
}

void FigureSums::add(const JobFigures& job) {
  const std::vector<Sums> phases = phase_sums(job, models_.model(job.model));
  const Sums whole = job_sums(job, phases);
  for (std::size_t i = 0; i < phases.size(); ++i) {
    Sums& phase = row_named(by_phase_, job.agent + " " + job.phases[i].name).sums;
    phase += phases[i];
    ++phase.jobs;
  }
  for (Sums* sums : {&row_named(by_model_, job.model).sums, &total_}) {
    *sums += whole;
    ++sums->jobs;
  }
  add_tools(job);
}

void FigureSums::add_tools(const JobFigures& job) {
  for (const ToolFigures& tool : job.tools) {
    ToolFigures& sum = row_named(tools_, tool.name);
    sum.calls += tool.calls;
    sum.failed += tool.failed;
    sum.refused += tool.refused;
  }
}

}  // namespace pedro
