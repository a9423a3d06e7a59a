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

}  // namespace pedro
