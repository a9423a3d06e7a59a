#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pedro {

/// From worst to least.
enum class ReviewSeverity { kCritical, kHigh, kMedium, kLow, kInfo };
std::string_view to_string(ReviewSeverity severity);

/// What is wrong at a line of a change.
struct ReviewFinding {
  std::string file;
  int line = 0;
  ReviewSeverity severity = ReviewSeverity::kInfo;
  std::string category;
  std::string explanation;
  std::string suggestion;  ///< may be empty
  bool old_line = false;   ///< the file was deleted: the line is one of its old lines
};

/// The findings of an output as its schema has them: `{"findings": [{file, line, severity,
/// category, explanation, suggestion?}]}`.
std::vector<ReviewFinding> findings_in(const Json& output);

/// Each once, the worst first, then by file and line. Of several that are the same the worst stays,
/// with what only the others say. At one line that are those of a category, and of others where one
/// explanation has all words of the other in a row, or both make the same suggestion; case, blanks
/// and a full stop make no difference.
std::vector<ReviewFinding> merge_findings(std::vector<ReviewFinding> findings);

Json to_json(const ReviewFinding& finding);

}  // namespace pedro
