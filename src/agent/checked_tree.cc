#include "agent/checked_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "agent/answers.h"

namespace pedro {
namespace {

constexpr double kPollSeconds = 0.1;
constexpr int kTerminate = 15;  // SIGTERM

constexpr double kSpinFactor = 5;  // multiple of the longest check before the work

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

bool CheckedTree::current(const std::string& fingerprint, int activity) const {
  if (checks_.empty()) return true;
  if (fingerprint != checked_fingerprint_) return false;
  return all_passed(outcomes_) || activity == checked_activity_;
}

Result<std::vector<CheckOutcome>> CheckedTree::outcomes(int activity) {
  repository_.forget_after_wait();
  Result<std::string> now = fingerprint();
  if (!now) return now.error();
  if (ahead_ && *now != ahead_->fingerprint) ahead_->outcomes.clear();
  // A formatter may change files that another check has read, so all checks run again.
  for (int run = 0; run < 2 && !current(*now, activity); ++run) {
    const bool is_first = !is_settled_;
    Result<std::vector<CheckOutcome>> outcomes = run_all();
    if (!outcomes) return outcomes;
    outcomes_ = std::move(*outcomes);
    if (is_first) keep_baseline();
    checked_activity_ = activity;
    checked_fingerprint_ = std::move(*now);
    now = fingerprint();
    if (!now) return now.error();
  }
  if (!checks_.empty()) checked_fingerprint_ = std::move(*now);
  return outcomes_;
}

Result<std::string> CheckedTree::fingerprint() {
  PEDRO_TRY(const std::optional<Json> earlier, answers_.next(Question::kTree));
  if (earlier) return bytes_from(member(*earlier, "is"));
  Result<std::string> now = repository_.fingerprint(base_, ahead_ ? ahead_->made : made_);
  if (!now) return now;
  const Status added = answers_.add(Question::kTree, {{"is", bytes_json(*now)}});
  return added ? std::move(now) : added.error();
}

// Returns the outcome of the run ahead, or runs the check.
Result<CheckOutcome> CheckedTree::run_now(const Check& check) {
  for (const CheckOutcome& outcome : ahead_ ? ahead_->outcomes : std::vector<CheckOutcome>()) {
    if (outcome.check.command == check.command) return outcome;
  }
  const double limit_s = limit_s_ > 0 ? std::min(limit_s_, timeout_s_) : timeout_s_;
  return run_check(check, tree_, commands_, {limit_s, spin_limit()}, job_);
}

// Returns the limit for endless loops, see Command::spin_timeout_s. There is none if the checks
// were ended before the work: they may only be slow.
double CheckedTree::spin_limit() const {
  double longest_s = 0;
  for (const CheckOutcome& outcome : baseline_) {
    if (outcome.timed_out) return 0;
    longest_s = std::max(longest_s, outcome.duration_s);
  }
  return kBaselineSpinSeconds + kSpinFactor * longest_s;
}

Result<CheckOutcome> CheckedTree::run(const Check& check) {
  PEDRO_TRY(const std::optional<Json> earlier, answers_.next(Question::kCheck));
  if (earlier) return check_outcome_from(*earlier);
  Result<CheckOutcome> outcome = run_now(check);
  if (!outcome) return outcome;
  outcome = masked_outcome(*std::move(outcome), secrets_);
  const Status added = answers_.add(Question::kCheck, to_json(*outcome));
  return added ? std::move(outcome) : added.error();
}

Result<CheckOutcome> CheckedTree::try_check(const Check& check) {
  PEDRO_RETURN_IF_ERROR(observer_.on_check_started(shown_check(check, secrets_)));
  Result<CheckOutcome> outcome = run(check);
  if (!outcome) return outcome;
  PEDRO_RETURN_IF_ERROR(observer_.on_check_finished(*outcome));
  return outcome;
}

void CheckedTree::add_check(Check check) {
  const bool is_known = std::any_of(checks_.begin(), checks_.end(), [&](const Check& other) {
    return other.command == check.command;
  });
  if (!is_known) checks_.insert(checks_.begin(), std::move(check));
  outcomes_.clear();
  checked_fingerprint_.clear();
}

void CheckedTree::take_up(const std::string& message) {
  task_ += "\n" + message;
  known_failures_ = KnownFailures(baseline_, task_);
  outcomes_.clear();
  checked_fingerprint_.clear();
}

// Runs a check. On the unchanged tree, tries the next candidates until one tests something.
Result<CheckOutcome> CheckedTree::settle(Check& check) {
  for (;;) {
    Result<CheckOutcome> outcome = try_check(check);
    if (!outcome || is_settled_ || outcome->tests_nothing.empty()) return outcome;
    const std::string shown = shown_check(check, secrets_).command;
    std::optional<Check> next = next_candidate(check);
    if (!next) {
      observer_.on_notice(fmt::format("`{}` (from {}) {}: {}", shown, check.source,
                                      check.is_guess ? "is not a check here" : "tests nothing yet",
                                      outcome->tests_nothing));
      return outcome;
    }
    observer_.on_notice(fmt::format("`{}` (from {}) is not a check here: {}; next: `{}` (from {})",
                                    shown, check.source, outcome->tests_nothing,
                                    shown_check(*next, secrets_).command, next->source));
    check = *std::move(next);
  }
}

void CheckedTree::keep_baseline() {
  baseline_ = outcomes_;
  known_failures_ = KnownFailures(baseline_, task_);
  for (CheckOutcome outcome : baseline_) {
    outcome.check = shown_check(std::move(outcome.check), secrets_);
    observer_.on_notice("before the work " + baseline_text(outcome));
  }
}

Result<std::vector<CheckOutcome>> CheckedTree::run_all() {
  PEDRO_TRY(const std::set<std::string> before, new_files());
  std::vector<CheckOutcome> outcomes;
  for (std::size_t i = 0; i < checks_.size(); ++i) {
    PEDRO_TRY(CheckOutcome outcome, settle(checks_[i]));
    if (!is_settled_ && checks_[i].is_guess && !outcome.tests_nothing.empty()) {
      checks_.erase(checks_.begin() + static_cast<std::ptrdiff_t>(i--));
      continue;
    }
    // Sandbox notes appear in the output of a failed check.
    for (const std::string& note : outcome.passed ? outcome.notes : std::vector<std::string>()) {
      observer_.on_notice(outcome.check.command + ": " + note);
    }
    outcomes.push_back(std::move(outcome));
  }
  is_settled_ = true;
  ahead_.reset();
  PEDRO_TRY(const std::set<std::string> after, new_files());
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                      std::inserter(made_, made_.end()));
  return outcomes;
}

Result<std::set<std::string>> CheckedTree::new_files() {
  PEDRO_TRY(const std::optional<Json> earlier, answers_.next(Question::kTree));
  std::set<std::string> paths;
  if (earlier) {
    for (const Json& path : member(*earlier, "new")) paths.insert(bytes_from(path));
    return paths;
  }
  Result<std::set<std::string>> now =
      ahead_ ? std::move(ahead_->new_files) : untracked_files(repository_, base_);
  if (!now) return now;
  Json list = Json::array();
  for (const std::string& path : *now) list.push_back(bytes_json(path));
  const Status added = answers_.add(Question::kTree, {{"new", std::move(list)}});
  return added ? std::move(now) : added.error();
}

}  // namespace pedro
