#include "agent/clean_check.h"

#include <algorithm>

#include "agent/check_files.h"
#include "agent/reproduction.h"
#include "sys/interrupted.h"

namespace pedro {
namespace {

void reject(BuildResult& result, std::string reason) {
  result.end = BuildEnd::kNotVerified;
  result.reason = std::move(reason);
}

}  // namespace

Status CleanCheck::apply(BuildResult& result) const {
  if (result.end == BuildEnd::kVerified && !result.delivery.otherwise.empty()) {
    reject(result, "the checks pass, but the commit differs from the checked files");
  }
  auto missing = undelivered(result.delivery);
  if (!missing) return missing.error();
  result.undelivered = std::move(*missing);
  if (result.end == BuildEnd::kVerified && !result.undelivered.empty()) {
    reject(result, "the checks pass, but files that belong to the work are not in the commit");
  }
  if (result.end != BuildEnd::kVerified || !run_clean_) return {};
  const Status checked = run_anew(result);
  if (checked) return {};
  const bool is_stopped = checked.error().kind == ErrorKind::kInterrupted;
  if (is_stopped && !is_late(checked.error(), cancel_)) return checked;
  reject(result, "the commit could not be checked in a clean checkout: " + checked.error().message);
  return {};
}

// Runs the checks on the commit, then with the base's tests and check definitions. If all checks
// passed before the work, also runs the job's tests on the base's sources.
Status CleanCheck::run_anew(BuildResult& result) const {
  const std::string& commit = result.delivery.commit;
  auto outcomes = run_clean_(commit, base_, {}, tree_.checks());
  if (!outcomes) return outcomes.error();
  result.clean_checks = *std::move(outcomes);
  if (!tree_.known_failures().accept(result.clean_checks)) {
    reject(result, "the checks pass in the work tree, but not in a clean checkout of the commit");
    return {};
  }
  // The reproduction may run files that the job wrote.
  std::vector<Check> checks = tree_.checks();
  std::erase_if(checks, [&](const Check& check) { return check.source == Reproduction::kSource; });
  result.check_files = check_files(result.delivery.files, checks);
  if (result.check_files.empty() || checks.empty()) return {};
  outcomes = run_clean_(commit, base_, result.check_files, checks);
  if (!outcomes) return outcomes.error();
  result.base_checks = *std::move(outcomes);
  if (!tree_.known_failures().accept(result.base_checks)) {
    reject(result, "the checks pass only with the tests or check definitions that the job changed");
    return {};
  }
  if (!all_passed(result.baseline)) return {};
  outcomes = run_clean_(base_, commit, result.check_files, checks);
  if (!outcomes) return outcomes.error();
  result.tests_on_base = *std::move(outcomes);
  return {};
}

// Returns the files that tools wrote but git omits: ignored files and files in nested repositories.
// The checks used them, but a clone lacks them.
Result<std::vector<std::string>> CleanCheck::undelivered(const Delivery& delivery) const {
  std::set<std::string> written;
  for (const std::string& path : written_) {
    const FileInfo info = repository_.files().link_info(join_path(repository_.root(), path));
    const bool ours = std::find(delivery.untouched.begin(), delivery.untouched.end(), path) ==
                      delivery.untouched.end();
    if (ours && info.kind == FileKind::kFile) written.insert(path);
  }
  return repository_.not_in(delivery.commit, written);
}

}  // namespace pedro
