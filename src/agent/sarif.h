#pragma once

#include <string>
#include <vector>

#include "agent/finding.h"
#include "base/json.h"

namespace pedro {

/// Findings as a log of the Static Analysis Results Interchange Format, version 2.1.0
/// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/): one run of pedrocli, a rule for each
/// category, a result for each finding, with the property old_line where it has that. What was not
/// looked at is a notification. Not `whole`: the review ended at a limit or could not read all that
/// it was to read, so the run was no success. The same input gives the same bytes.
Json to_sarif(const std::vector<ReviewFinding>& findings,
              const std::vector<std::string>& not_reviewed, bool whole, const std::string& version);

}  // namespace pedro
