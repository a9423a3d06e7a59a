#pragma once

#include "agent/clean_check.h"
#include "base/cancel.h"
#include "build_setup.h"
#include "command.h"

namespace pedro {

/// Runs checks in a clone of the repository, outside of the project and in a separate sandbox.
/// Submodules have the commits of the tree if these exist locally. Borrows everything.
class CleanRun {
 public:
  /// `job_id` names the folder of the clone, which is removed after each run.
  CleanRun(CommandContext& context, const BuildSetup& setup, std::string job_id,
           const CancelToken& cancel)
      : context_(context), setup_(setup), job_id_(std::move(job_id)), cancel_(cancel) {}

  /// Runs the checks on a clean checkout; see CleanRunner.
  Result<std::vector<CheckOutcome>> run(const CleanRequest& request);

 private:
  Result<std::vector<CheckOutcome>> run_in(const Repository& checkout, const CleanRequest& request);
  Status take_from_base(const Repository& own, const std::string& base,
                        const std::set<std::string>& paths) const;
  Result<bool> edit_tests(const std::string& root, const CleanRequest& request) const;
  void fill_submodules(const std::string& root, const std::string& commit) const;

  CommandContext& context_;
  const BuildSetup& setup_;
  std::string job_id_;
  const CancelToken& cancel_;
};

}  // namespace pedro
