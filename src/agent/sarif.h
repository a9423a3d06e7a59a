#pragma once

#include <string>
#include <vector>

#include "agent/finding.h"
#include "base/json.h"

namespace pedro {

/// Findings as a log of the Static Analysis Results Interchange Format, version 2.1.0
/// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/): one run of pedrocli, a rule for each
/// category, a result for each finding; what was not looked at is a notification. The same input
/// gives the same bytes.
Json to_sarif(const std::vector<ReviewFinding>& findings,
              const std::vector<std::string>& not_reviewed, const std::string& version);

}  // namespace pedro
