#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pedro {

/// From worst to least.
enum class Severity { kCritical, kHigh, kMedium, kLow, kInfo };
std::string_view to_string(Severity severity);

/// What is wrong at a line of a change.
struct Finding {
  std::string file;
  int line = 0;
  Severity severity = Severity::kInfo;
  std::string category;
  std::string explanation;
  std::string suggestion;  ///< may be empty
  bool old_line = false;   ///< the file was deleted: the line is one of its old lines
};

/// The findings of an output as its schema has them: `{"findings": [{file, line, severity,
/// category, explanation, suggestion?}]}`.
std::vector<Finding> findings_in(const Json& output);

/// Each once, the worst first, then by file and line: of several of a category at a line the worst
/// stays, with the texts of the others that say something else.
std::vector<Finding> merge_findings(std::vector<Finding> findings);

Json to_json(const Finding& finding);

}  // namespace pedro
