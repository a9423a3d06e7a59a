#include "tools/checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/command_report.h"
#include "tools/failing_part.h"
#include "tools/project_kind.h"

namespace pedro {
namespace {

constexpr std::size_t kFailingBytes = 6 * 1024;
constexpr std::size_t kMaxCheckOutputBytes = 1u << 20;

CheckOutcome outcome_of(const Check& check, const ProcessResult& result, const WorkTree& tree,
                        double timeout_s) {
  CheckOutcome outcome{check, result.ok(), result.exit_code, result.timed_out, result.duration_s,
                       "",    result.notes};
  if (outcome.passed) return outcome;
  outcome.output = failing_part(tree.without_root(output_of(result)), kFailingBytes);
  if (!outcome.output.empty()) outcome.output += '\n';
  outcome.output += ending_of(result, timeout_s);
  return outcome;
}

}  // namespace

Check shown_check(Check check, const SecretMask* secrets) {
  if (secrets != nullptr) check.command = secrets->mask(check.command);
  return check;
}

// The index keeps its time: git compares the bytes of a file that is not older than that.
Check pre_commit_check() {
  return {
      "pre-commit",
      "index=\"$(mktemp)\" && { cp -p \"$(git rev-parse --git-path index)\" \"$index\" 2>/dev/null"
      " || rm \"$index\"; } && export GIT_INDEX_FILE=\"$index\" && git add --all"
      " && git hook run --ignore-missing pre-commit",
      "git.pre_commit"};
}

std::vector<Check> detect_checks(const WorkTree& tree) {
  std::vector<Check> checks;
  for (const Project& project : recognise_projects(tree)) {
    checks.push_back({"test", project.command, project.source});
  }
  return checks;
}

Result<CheckOutcome> run_check(const Check& check, const WorkTree& tree, ProcessRunner& processes,
                               double timeout_s, const CancelToken& cancel) {
  Command command;
  command.argv = {"sh", "-c", check.command};
  command.folder = tree.root();
  command.timeout_s = timeout_s;
  command.max_output_bytes = kMaxCheckOutputBytes;
  command.merge_streams = true;
  const auto result = processes.run(command, cancel);
  if (result) return outcome_of(check, *result, tree, timeout_s);
  if (result.error().kind == ErrorKind::kInterrupted) return result.error();
  return CheckOutcome{check, false, 127, false, 0, result.error().message, {}};
}

bool all_passed(const std::vector<CheckOutcome>& outcomes) {
  return std::all_of(outcomes.begin(), outcomes.end(),
                     [](const CheckOutcome& outcome) { return outcome.passed; });
}

}  // namespace pedro
