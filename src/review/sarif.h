#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "review/finding.h"

namespace pedro {

/// Returns findings as a log in the Static Analysis Results Interchange Format, version 2.1.0
/// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/). It has one run of pedrocli with a rule per
/// category and a result per finding. Unreviewed contents are notifications. `whole` is false if
/// the review ended early or could not read everything; the run is then unsuccessful. The same
/// input produces the same bytes.
Json to_sarif(const std::vector<ReviewFinding>& findings,
              const std::vector<std::string>& not_reviewed, bool whole, const std::string& version);

}  // namespace pedro
