#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pedro {

/// Ordered from most to least severe.
enum class ReviewSeverity { kCritical, kHigh, kMedium, kLow, kInfo };
std::string_view to_string(ReviewSeverity severity);

/// A problem at a line of a change.
struct ReviewFinding {
  std::string file;
  int line = 0;
  ReviewSeverity severity = ReviewSeverity::kInfo;
  std::string category;
  std::string explanation;
  std::string suggestion;  ///< may be empty
  bool old_line = false;   ///< the file was deleted; `line` is in its old version
};

/// Parses the findings of a phase's output: `{"findings": [{file, line, severity, category,
/// explanation, suggestion?}]}`. Unknown severities become kInfo.
std::vector<ReviewFinding> findings_in(const Json& output);

/// Removes duplicates and sorts by severity (worst first), file and line. The worst of several
/// duplicates remains, extended by texts that only the others have. Findings at the same line are
/// duplicates in any of these cases:
/// - the categories are equal
/// - one explanation contains the other
/// - the suggestions are equal
/// Ignores case, blanks and a final period.
std::vector<ReviewFinding> merge_findings(std::vector<ReviewFinding> findings);

Json to_json(const ReviewFinding& finding);

/// Returns findings as a log in the Static Analysis Results Interchange Format, version 2.1.0
/// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/). It has one run of pedrocli with a rule per
/// category and a result per finding. Unreviewed contents are notifications. `whole` is false if
/// the review ended early or could not read everything; the run is then unsuccessful. The same
/// input produces the same bytes.
Json to_sarif(const std::vector<ReviewFinding>& findings,
              const std::vector<std::string>& not_reviewed, bool whole, const std::string& version);

}  // namespace pedro
