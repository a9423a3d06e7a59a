#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "eval/attempt_record.h"
#include "eval/share.h"

namespace pedro {

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
