#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "eval/eval_record.h"
#include "eval/share.h"

namespace pedro {

/// What came of one configuration's calls.
struct EvalSummary {
  std::string configuration;
  Share valid;                       ///< exactly one call, as its schema has it
  Share right;                       ///< of all calls: the one that was asked for
  std::array<Share, 3> thirds;       ///< `valid`, by where in a conversation: early, middle, late
  std::array<int, 7> failures = {};  ///< by CallFailure
  double tokens = 0;                 ///< generated, median
  double ms = 0;                     ///< median
  std::set<std::string> notices;     ///< of what had to be done without
};

/// One for each configuration, in the order they come first in the record.
std::vector<EvalSummary> summarize(const EvalRecord& record);

Json to_json(const EvalSummary& summary);

/// A table for a terminal, with a bar of the valid calls in each row.
std::string to_table(const std::vector<EvalSummary>& summaries);

}  // namespace pedro
