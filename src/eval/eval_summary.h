#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "eval/eval_record.h"
#include "eval/share.h"

namespace pedro {

/// The results of one configuration's calls.
struct EvalSummary {
  std::string configuration;
  Share valid;                  ///< replies with exactly one call that fits its schema
  Share right;                  ///< replies with an expected call, as a share of all
  std::array<Share, 3> thirds;  ///< `valid` in the first, middle and last third of a conversation
  std::array<int, 8> failures = {};  ///< counts, indexed by CallFailure
  int repaired = 0;                  ///< valid only after a repair of their arguments
  double tokens = 0;                 ///< median of generated tokens
  double ms = 0;                     ///< median
  std::set<std::string> notices;     ///< unavailable features of the model, reasons of failures
};

/// Returns one summary per configuration, in order of first appearance in the record.
std::vector<EvalSummary> summarize(const EvalRecord& record);

/// Returns the failures of each kind, for example "2 unknown tool".
std::vector<std::string> failures_of(const EvalSummary& summary);

Json to_json(const EvalSummary& summary);

/// Formats a terminal table. Each row has a bar with the share of valid calls.
std::string to_table(const std::vector<EvalSummary>& summaries);

}  // namespace pedro
