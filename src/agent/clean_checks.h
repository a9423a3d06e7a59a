#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "tools/checks.h"

namespace pedro {

/// Runs checks in a clean checkout of a commit, apart from the work tree and its builds. One
/// thread.
class CleanChecks {
 public:
  virtual ~CleanChecks() = default;

  /// Checks out `commit` anew, with the files `of_base` as they are in `base` (those that it lacks
  /// are removed), and runs the checks there. Errors: kInterrupted; git's own if there is no
  /// checkout.
  virtual Result<std::vector<CheckOutcome>> run(const std::string& commit, const std::string& base,
                                                const std::set<std::string>& of_base,
                                                const std::vector<Check>& checks) = 0;
};

}  // namespace pedro
