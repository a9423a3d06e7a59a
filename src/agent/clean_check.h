#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "agent/build_result.h"
#include "agent/changed_checks.h"
#include "agent/checked_tree.h"
#include "agent/failing_texts.h"
#include "base/cancel.h"
#include "git/repository.h"
#include "tools/checks.h"

namespace pedro {

/// Changes test files, given by path. Returns the changed ones.
using TestEdit = std::function<TestTexts(const TestTexts&)>;

/// A run of checks in a new checkout of `commit`, without files of earlier builds.
struct CleanRequest {
  std::string commit;
  std::string base;
  std::set<std::string> of_base;  ///< files to take from `base`, or to remove if it lacks them
  std::vector<Check> checks;
  std::set<std::string> tests = {};  ///< files for `edit`
  TestEdit edit = {};                ///< null: none. Without changes, no check runs
  /// Receives the files of the commit that the checks wrote; null: not needed.
  std::set<std::string>* rewritten = nullptr;
};

/// Runs a request. Errors: kInterrupted; git's error if the checkout fails.
using CleanRunner = std::function<Result<std::vector<CheckOutcome>>(const CleanRequest& request)>;

/// Decides if a commit is verified (docs/checks.md). Borrows all arguments except `run_clean`.
///
///     const CleanCheck check(repository, base, task, tree, written, cancel, run);
///     Status checked = check.apply(result);
class CleanCheck {
 public:
  /// `written` are the paths below the root that tools wrote. Without `run_clean`, no checkout is
  /// made.
  CleanCheck(const Repository& repository, const std::string& base, const std::string& task,
             const CheckedTree& tree, const std::set<std::string>& written,
             const CancelToken& cancel, CleanRunner run_clean)
      : repository_(repository),
        base_(base),
        task_(task),
        tree_(tree),
        written_(written),
        cancel_(cancel),
        run_clean_(std::move(run_clean)) {}

  /// Changes the end of a verified result to kNotVerified, with the reason, if its commit does not
  /// pass. Adds the findings. Errors: kInterrupted by the user, or git's.
  Status apply(BuildResult& result) const;

 private:
  /// Returns the reason to reject the outcomes of a run; "": none.
  using Doubt = std::function<std::string(const std::vector<CheckOutcome>&)>;

  Status check_commit(BuildResult& result) const;
  Status run_anew(BuildResult& result, const ChangedChecks& changed) const;
  void add_redefining(BuildResult& result, const std::vector<Check>& checks,
                      const ChangedChecks& changed) const;
  Result<std::vector<CheckOutcome>> run_renamed(const BuildResult& result,
                                                const std::vector<Check>& checks) const;
  std::string unasked_in(const BuildResult& result, const std::vector<CheckOutcome>& of_base) const;
  Status require_tests(BuildResult& result, const std::vector<Check>& checks) const;
  Status require_unwritten(BuildResult& result, const std::vector<Check>& checks,
                           const ChangedChecks& changed,
                           const std::set<std::string>& rewritten) const;
  Status require_failures(BuildResult& result, const ChangedChecks& changed) const;
  Result<std::set<std::string>> test_programs(const TextOfBase& base) const;
  Result<std::string> doubt_of(const CleanRequest& request, const Doubt& doubt) const;
  Result<std::string> doubt_with_canary(const BuildResult& result, CleanRequest request) const;
  Result<std::string> doubt_with_other_values(const BuildResult& result,
                                              CleanRequest request) const;
  Result<std::vector<std::string>> undelivered(const Delivery& delivery) const;

  const Repository& repository_;
  const std::string& base_;
  const std::string& task_;  // text of the task
  const CheckedTree& tree_;
  const std::set<std::string>& written_;
  const CancelToken& cancel_;
  CleanRunner run_clean_;
};

}  // namespace pedro
