#include "eval/attempt_diff.h"

#include <fmt/format.h>

#include <utility>

#include "base/median.h"
#include "base/text.h"
#include "eval/share_chart.h"

namespace pedro {
namespace {

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
