#include "tools/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "tools/command_report.h"
#include "tools/failing_part.h"
#include "tools/test_results.h"

namespace pedro {
namespace {

constexpr std::size_t kFailingBytes = 6 * 1024;
constexpr std::size_t kMaxCheckOutputBytes = 1u << 20;

CheckOutcome outcome_of(const Check& check, const ProcessResult& result, const WorkTree& tree,
                        double timeout_s) {
  CheckOutcome outcome{.check = check,
                       .passed = result.ok(),
                       .exit_code = result.exit_code,
                       .timed_out = result.timed_out,
                       .duration_s = result.duration_s,
                       .stalled_s = result.idle_s + result.spin_s,
                       .notes = result.notes};
  if (!result.timed_out) {
    outcome.tests_nothing = tests_nothing(check.command, output_of(result), result.exit_code);
  }
  if (!result.out_cut) outcome.tests = read_test_results(tree.without_root(output_of(result)));
  if (outcome.passed) return outcome;
  outcome.output = failing_part(tree.without_root(output_of(result)), kFailingBytes);
  if (!outcome.output.empty()) outcome.output += '\n';
  outcome.output += ending_of(result, timeout_s);
  return outcome;
}

}  // namespace

Check shown_check(Check check, const SecretMask* secrets) {
  if (secrets == nullptr) return check;
  check.command = secrets->mask(check.command);
  for (Check& other : check.instead) other.command = secrets->mask(other.command);
  return check;
}

CheckOutcome masked_outcome(CheckOutcome outcome, const SecretMask* secrets) {
  if (secrets == nullptr) return outcome;
  outcome.check = shown_check(std::move(outcome.check), secrets);
  outcome.output = secrets->mask(outcome.output);
  for (std::string& test : outcome.tests.failed) test = secrets->mask(test);
  std::sort(outcome.tests.failed.begin(), outcome.tests.failed.end());
  return outcome;
}

// The repository is read-only, so git gets a temporary index and object folder. The index keeps its
// time stamp, because git rereads files that are not older.
Check pre_commit_check() {
  return {
      "pre-commit",
      "index=\"$(mktemp)\" && objects=\"$(mktemp -d)\""
      " && { cp -p \"$(git rev-parse --git-path index)\" \"$index\" 2>/dev/null || rm \"$index\"; }"
      " && export GIT_ALTERNATE_OBJECT_DIRECTORIES=\"$(git rev-parse --git-path objects)\""
      " GIT_OBJECT_DIRECTORY=\"$objects\" GIT_INDEX_FILE=\"$index\" && git add --all"
      " && git hook run --ignore-missing pre-commit",
      "git.pre_commit"};
}

Result<CheckOutcome> run_check(const Check& check, const WorkTree& tree, ProcessRunner& processes,
                               const CheckLimits& limits, const CancelToken& cancel) {
  Command command;
  command.argv = {"sh", "-c", check.command};
  command.folder = tree.root();
  command.timeout_s = limits.timeout_s;
  command.spin_timeout_s = limits.spin_s;
  command.max_output_bytes = kMaxCheckOutputBytes;
  command.merge_streams = true;
  // Lets `go test` name each test. Without that, a package that ends early passes.
  if (::getenv("GOFLAGS") == nullptr) command.environment["GOFLAGS"] = "-v";
  const auto result = processes.run(command, cancel);
  if (result) return outcome_of(check, *result, tree, limits.timeout_s);
  if (result.error().kind == ErrorKind::kInterrupted) return result.error();
  return cannot_start(check, result.error().message);
}

CheckOutcome cannot_start(const Check& check, const std::string& reason) {
  CheckOutcome outcome{.check = check, .exit_code = 127};
  outcome.output = outcome.tests_nothing = reason;
  return outcome;
}

std::optional<Check> next_candidate(const Check& check) {
  if (check.instead.empty()) return std::nullopt;
  Check next = check.instead.front();
  next.instead.assign(check.instead.begin() + 1, check.instead.end());
  return next;
}

std::string baseline_text(const CheckOutcome& outcome) {
  const std::string end = outcome.passed      ? "passes"
                          : outcome.timed_out ? "does not finish in time"
                                              : fmt::format("fails, exit {}", outcome.exit_code);
  return fmt::format("`{}` (from {}): {}", outcome.check.command, outcome.check.source, end);
}

bool all_passed(const std::vector<CheckOutcome>& outcomes) {
  return std::all_of(outcomes.begin(), outcomes.end(),
                     [](const CheckOutcome& outcome) { return outcome.passed; });
}

}  // namespace pedro
