#include "eval/attempt_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/median.h"
#include "base/text.h"
#include "eval/bench_task.h"
#include "eval/share_chart.h"

namespace pedro {
namespace {

constexpr std::string_view kAll = "all";

AttemptSummary summary_of(std::string_view kind, const AttemptRecord& record) {
  AttemptSummary summary;
  summary.kind = kind;
  std::vector<double> seconds;
  std::vector<double> rounds;
  std::vector<double> tries;
  for (const TaskAttempt& attempt : record.attempts) {
    if (kind != kAll && attempt.kind != kind) continue;
    ++summary.solved.all;
    summary.solved.some += attempt.solved ? 1 : 0;
    summary.verified += attempt.verified ? 1 : 0;
    summary.falsely_verified += attempt.falsely_verified() ? 1 : 0;
    summary.most_same_refused = std::max(summary.most_same_refused, attempt.same_refused);
    if (attempt.solved) seconds.push_back(attempt.seconds);
    rounds.push_back(static_cast<double>(attempt.rounds));
    tries.push_back(static_cast<double>(attempt.tries));
  }
  summary.seconds = median(std::move(seconds));
  summary.rounds = median(std::move(rounds));
  summary.tries = median(std::move(tries));
  return summary;
}

}  // namespace

std::vector<AttemptSummary> summarize(const AttemptRecord& record) {
  std::vector<AttemptSummary> summaries;
  for (const std::string_view kind : kBenchKinds) {
    AttemptSummary summary = summary_of(kind, record);
    if (summary.solved.all > 0) summaries.push_back(std::move(summary));
  }
  summaries.push_back(summary_of(kAll, record));
  return summaries;
}

Json to_json(const AttemptSummary& summary) {
  return {
      {"kind", summary.kind},         {"solved", to_json(summary.solved)},
      {"verified", summary.verified}, {"falsely_verified", summary.falsely_verified},
      {"seconds", summary.seconds},   {"rounds", summary.rounds},
      {"tries", summary.tries},       {"most_same_refused_in_a_row", summary.most_same_refused}};
}

std::string to_table(const std::vector<AttemptSummary>& summaries) {
  std::string table = fmt::format(
      "{:<8}  {:<{}}  {:>10}  {:>6}  {:>10}  {:>8}  {:>5}  {:>7}  {:>6}  {:>5}\n", "kind", "solved",
      kBarLength, "", "", "at 95 %", "verified", "false", "seconds", "rounds", "tries");
  for (const AttemptSummary& one : summaries) {
    const Interval likely = one.solved.interval();
    table += fmt::format(
        "{:<8}  {}  {:>10}  {:>5.1f}%  {:>10}  {:>8}  {:>5}  {:>7.0f}  {:>6.1f}  {:>5.1f}\n",
        one.kind, bar_of(one.solved.value()),
        fmt::format("{} of {}", one.solved.some, one.solved.all), 100 * one.solved.value(),
        fmt::format("{:.0f} to {:.0f}%", 100 * likely.low, 100 * likely.high), one.verified,
        one.falsely_verified, one.seconds, one.rounds, one.tries);
  }
  return table;
}

std::string to_text(const TaskAttempt& attempt) {
  const std::string verified = attempt.falsely_verified() ? "falsely verified"
                               : attempt.verified         ? "verified"
                                                          : replace_all(attempt.outcome, "_", " ");
  return fmt::format("{}, {}, {:.0f} s", attempt.solved ? "solved" : "not solved", verified,
                     attempt.seconds);
}

}  // namespace pedro
