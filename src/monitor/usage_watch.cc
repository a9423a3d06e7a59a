#include "monitor/usage_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "base/named_numbers.h"

namespace pedro {
namespace {

// Returns two digits after the point, below a cent two digits that are not zero.
std::string shown_dollars(double dollars) {
  return dollars < 0.01 ? fmt::format("{:.2g}", dollars) : fmt::format("{:.2f}", dollars);
}

constexpr double kLargest = 1'000'000;
// Minimum sizes for warnings: a first prompt or a short reply is not representative.
constexpr long long kFewestMissedTokens = 1000;
constexpr long long kFewestGeneratedTokens = 4;
constexpr std::size_t kInferencesOfSpeed = 5;

constexpr NamedNumber<WarnAt> kRows[] = {{"window", &WarnAt::window},
                                         {"budget", &WarnAt::budget},
                                         {"cost", &WarnAt::cost},
                                         {"misses", &WarnAt::misses},
                                         {"slowdown", &WarnAt::slowdown}};

// Rounds down, so that a warning never reports a share that was not reached.
long long percent(double share) {
  return static_cast<long long>(std::floor(100 * share));
}

}  // namespace

Result<WarnAt> read_warn_at(const Json& object) {
  return read_numbers<WarnAt>(object, kRows, "warning", kLargest);
}

std::vector<std::string> UsageWatch::look(const JobFigures& job, const KnownModel* model) {
  std::vector<std::string> told;
  const bool is_new = seen_ < job.inferences.size();
  for (; seen_ < job.inferences.size(); ++seen_) {
    const InferenceFigures& one = job.inferences[seen_];
    look_at_window(one, told);
    look_at_cost(one.usage, model, told);
    look_at_cache(one, told);
    look_at_speed(one, told);
  }
  for (; seen_compactions_ < job.compactions.size(); ++seen_compactions_) {
    look_at_cost(job.compactions[seen_compactions_].asked, model, told);
  }
  if (is_new) look_at_budget(job, told);
  return told;
}

void UsageWatch::look_at_window(const InferenceFigures& one, std::vector<std::string>& told) {
  if (at_.window <= 0 || one.window_tokens <= 0) return;
  const double share =
      static_cast<double>(one.window_used_tokens) / static_cast<double>(one.window_tokens);
  if (share >= at_.window && !window_told_) {
    told.push_back(
        fmt::format("{} % of the window of {} tokens is used; start the server with a larger -c, "
                    "or set context.high_water lower",
                    percent(share), one.window_tokens));
  }
  window_told_ = share >= at_.window;
}

void UsageWatch::look_at_budget(const JobFigures& job, std::vector<std::string>& told) {
  if (at_.budget <= 0) return;
  const auto used = static_cast<double>(job.inferences.size());
  const auto most = static_cast<double>(budget_.inferences);
  if (most > 0 && used >= at_.budget * most && !rounds_told_) {
    rounds_told_ = true;
    told.push_back(fmt::format("{} of {} allowed inferences are used", job.inferences.size(),
                               budget_.inferences));
  }
  const auto most_ms = static_cast<double>(budget_.ms);
  if (most_ms > 0 && static_cast<double>(job.ms()) >= at_.budget * most_ms && !time_told_) {
    time_told_ = true;
    told.push_back(
        fmt::format("{} of {} allowed minutes are used", job.ms() / 60'000, budget_.ms / 60'000));
  }
}

void UsageWatch::look_at_cost(const Usage& usage, const KnownModel* model,
                              std::vector<std::string>& told) {
  if (at_.cost <= 0) return;
  dollars_ += cost_of(usage, model).dollars;
  if (dollars_ < dollars_told_ + at_.cost) return;
  dollars_told_ = std::floor(dollars_ / at_.cost) * at_.cost;
  told.push_back(fmt::format("the job has cost ${} so far", shown_dollars(dollars_)));
}

void UsageWatch::look_at_cache(const InferenceFigures& one, std::vector<std::string>& told) {
  evaluated_ += one.usage.prompt_tokens - one.usage.cached_tokens;
  missed_ += one.missed_tokens;
  if (at_.misses <= 0 || misses_told_ || missed_ < kFewestMissedTokens) return;
  const double share =
      static_cast<double>(missed_) / static_cast<double>(std::max(1LL, evaluated_));
  if (share < at_.misses) return;
  misses_told_ = true;
  told.push_back(
      fmt::format("{} tokens were evaluated again that should have been in the server's cache ({} "
                  "% of all); is another client using the same slot?",
                  missed_, percent(share)));
}

void UsageWatch::look_at_speed(const InferenceFigures& one, std::vector<std::string>& told) {
  if (at_.slowdown <= 0 || slowdown_told_) return;
  if (one.usage.generated_tokens < kFewestGeneratedTokens || one.usage.generate_ms <= 0) return;
  const double ms = one.usage.generate_ms / static_cast<double>(one.usage.generated_tokens);
  if (first_ms_.size() < kInferencesOfSpeed) {
    first_ms_.push_back(ms);
    return;
  }
  latest_ms_.push_back(ms);
  if (latest_ms_.size() > kInferencesOfSpeed) latest_ms_.erase(latest_ms_.begin());
  if (latest_ms_.size() < kInferencesOfSpeed) return;
  const double first = median(first_ms_);
  const double latest = median(latest_ms_);
  if (latest < at_.slowdown * first) return;
  slowdown_told_ = true;
  told.push_back(fmt::format("a token takes {:.0f} ms to generate; at first it took {:.0f} ms",
                             latest, first));
}

}  // namespace pedro
