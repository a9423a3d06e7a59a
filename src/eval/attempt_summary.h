#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "eval/attempt_record.h"
#include "eval/share.h"

namespace pedro {

/// The results of the attempts at tasks of one kind, or at all tasks.
struct AttemptSummary {
  std::string kind;  ///< a kind of task, or "all"
  Share solved;
  int verified = 0;
  int falsely_verified = 0;
  double seconds = 0;  ///< median over solved attempts
  double rounds = 0;   ///< median
  double tries = 0;    ///< median
  long long most_same_refused = 0;
};

/// Returns one row per kind, in the order of kBenchKinds, then a row for all tasks.
std::vector<AttemptSummary> summarize(const AttemptRecord& record);

Json to_json(const AttemptSummary& summary);

/// Formats a terminal table. Each row has a bar with the share of solved tasks.
std::string to_table(const std::vector<AttemptSummary>& summaries);

/// Formats an attempt in one line: "solved, verified, 23 s".
std::string to_text(const TaskAttempt& attempt);

/// Compares two records on the attempts that both contain: the same run of the same task.
struct AttemptDiff {
  PairedCounts solved;
  std::vector<std::string> lost;  ///< solved before, not after: "py-foo", "py-foo (run 2)"
  std::vector<std::string> won;   ///< solved after, not before
  int verified_before = 0;
  int verified_after = 0;
  int falsely_verified_before = 0;
  int falsely_verified_after = 0;
  double seconds_before = 0;  ///< median over attempts that both solved
  double seconds_after = 0;
};

AttemptDiff compare(const AttemptRecord& before, const AttemptRecord& after);

/// `verdict` is "better", "worse" or "noise".
Json to_json(const AttemptDiff& diff, const std::string& verdict);
std::string to_text(const AttemptDiff& diff, const std::string& verdict);

}  // namespace pedro
