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

std::string name_of(const TaskAttempt& attempt) {
  return attempt.run == 1 ? attempt.task : fmt::format("{} (run {})", attempt.task, attempt.run);
}

void count(AttemptDiff& diff, const TaskAttempt& before, const TaskAttempt& after) {
  diff.verified_before += before.verified ? 1 : 0;
  diff.verified_after += after.verified ? 1 : 0;
  diff.falsely_verified_before += before.falsely_verified() ? 1 : 0;
  diff.falsely_verified_after += after.falsely_verified() ? 1 : 0;
  if (before.solved && after.solved) ++diff.solved.both;
  if (!before.solved && !after.solved) ++diff.solved.neither;
  if (before.solved && !after.solved) {
    ++diff.solved.only_first;
    diff.lost.push_back(name_of(after));
  }
  if (!before.solved && after.solved) {
    ++diff.solved.only_second;
    diff.won.push_back(name_of(after));
  }
}

std::string share_text(const Share& share) {
  return fmt::format("{} of {} ({:.1f}%)", share.some, share.all, 100 * share.value());
}

std::string list_text(const std::vector<std::string>& names) {
  return names.empty() ? "none" : join(names, ", ");
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

AttemptDiff compare(const AttemptRecord& before, const AttemptRecord& after) {
  AttemptDiff diff;
  std::vector<double> seconds_before;
  std::vector<double> seconds_after;
  for (const TaskAttempt& now : after.attempts) {
    const TaskAttempt* const then = before.find(now.task, now.run);
    if (then == nullptr) continue;
    count(diff, *then, now);
    if (!then->solved || !now.solved) continue;
    seconds_before.push_back(then->seconds);
    seconds_after.push_back(now.seconds);
  }
  diff.seconds_before = median(std::move(seconds_before));
  diff.seconds_after = median(std::move(seconds_after));
  return diff;
}

Json to_json(const AttemptDiff& diff, const std::string& verdict) {
  const Interval likely = difference(diff.solved);
  return {{"before", to_json(diff.solved.first())},
          {"after", to_json(diff.solved.second())},
          {"both", diff.solved.both},
          {"only_before", diff.solved.only_first},
          {"only_after", diff.solved.only_second},
          {"neither", diff.solved.neither},
          {"low", likely.low},
          {"high", likely.high},
          {"p", paired_p(diff.solved)},
          {"lost", diff.lost},
          {"won", diff.won},
          {"verified", {diff.verified_before, diff.verified_after}},
          {"falsely_verified", {diff.falsely_verified_before, diff.falsely_verified_after}},
          {"seconds", {diff.seconds_before, diff.seconds_after}},
          {"verdict", verdict}};
}

std::string to_text(const AttemptDiff& diff, const std::string& verdict) {
  const PairedCounts& solved = diff.solved;
  const Interval likely = difference(solved);
  std::string text = fmt::format("solved: {} -> {}, {:+.1f} to {:+.1f} points, p {:.4f}: {}\n",
                                 share_text(solved.first()), share_text(solved.second()),
                                 100 * likely.low, 100 * likely.high, paired_p(solved), verdict);
  text += fmt::format("both {}, only before {}, only after {}, neither {}\n", solved.both,
                      solved.only_first, solved.only_second, solved.neither);
  text += fmt::format("lost: {}\nwon: {}\n", list_text(diff.lost), list_text(diff.won));
  text +=
      fmt::format("verified: {} -> {}, falsely {} -> {}\n", diff.verified_before,
                  diff.verified_after, diff.falsely_verified_before, diff.falsely_verified_after);
  text += fmt::format("seconds where both solved: {:.0f} -> {:.0f}\n", diff.seconds_before,
                      diff.seconds_after);
  return text;
}

}  // namespace pedro
