#include "agent/baseline_run.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace pedro {
namespace {

constexpr double kPollSeconds = 0.1;
constexpr int kTerminate = 15;  // SIGTERM

}  // namespace

Result<std::set<std::string>> untracked_files(const Repository& repository,
                                              const std::string& base) {
  PEDRO_TRY(const std::vector<ChangedFile> files, repository.changed_files(base));
  std::set<std::string> paths;
  for (const ChangedFile& file : files) {
    if (file.untracked && file.kind == ChangeKind::kAdded) paths.insert(file.path);
  }
  return paths;
}

void BaselineRun::stop() {
  stop_.cancel(kTerminate);
  if (made_.valid()) made_.wait();
}

Status BaselineRun::begin(std::vector<Check> checks, const WorkTree& tree, ProcessRunner& commands,
                          double timeout_s) {
  PEDRO_TRY(std::string fingerprint, repository_.fingerprint(base_, {}));
  PEDRO_TRY(auto new_files, untracked_files(repository_, base_));
  baseline_.fingerprint = std::move(fingerprint);
  baseline_.new_files = std::move(new_files);
  made_ = std::async(
      std::launch::async, [this, checks = std::move(checks), &tree, &commands, timeout_s] {
        for (const Check& check : checks) {
          Result<CheckOutcome> outcome =
              run_check(check, tree, commands, {timeout_s, kBaselineSpinSeconds}, stop_);
          if (!outcome) break;
          baseline_.outcomes.push_back(*std::move(outcome));
          if (!baseline_.outcomes.back().tests_nothing.empty()) break;  // another one replaces it
        }
        return made_files();  // at once: later files are the user's
      });
  return {};
}

// Finds the untracked files that the checks have created.
Status BaselineRun::made_files() {
  repository_.forget_changes();
  PEDRO_TRY(const auto after, untracked_files(repository_, base_));
  std::set_difference(after.begin(), after.end(), baseline_.new_files.begin(),
                      baseline_.new_files.end(),
                      std::inserter(baseline_.made, baseline_.made.end()));
  return {};
}

bool BaselineRun::wait(double seconds) {
  return made_.wait_for(std::chrono::duration<double>(seconds)) == std::future_status::ready;
}

Result<Baseline> BaselineRun::end(const CancelToken& job) {
  while (!wait(kPollSeconds)) {
    if (job.cancelled()) stop_.cancel(kTerminate);
  }
  PEDRO_RETURN_IF_ERROR(made_.get());
  return std::move(baseline_);
}

}  // namespace pedro
