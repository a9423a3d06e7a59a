#include "agent/build_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/known_failures.h"
#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxShownTests = 20;
constexpr std::size_t kMaxMessageBytes = 2048;
constexpr std::string_view kKnownFailures = ", except for tests that failed before the work";

// Returns true if no clean checkout confirmed the checks.
bool is_in_place_only(const BuildResult& result) {
  return result.end == BuildEnd::kVerified && result.clean_checks.empty();
}

std::string_view verdict(const BuildResult& result) {
  switch (result.end) {
    case BuildEnd::kVerified:
      return is_in_place_only(result) ? "Done; passed in the work tree only" : "Done and verified";
    case BuildEnd::kNotVerified:
      return "Not verified";
    case BuildEnd::kLimit:
      return "Stopped at a limit";
    case BuildEnd::kNothingChanged:
      return "Nothing changed";
    case BuildEnd::kNotReproduced:
      return "Not reproduced";
    case BuildEnd::kBlocked:
      return "Blocked, says the model";
  }
  return "";
}

bool has_known_failures(const BuildResult& result) {
  return result.end == BuildEnd::kVerified && !all_passed(result.checks);
}

std::string_view reason_of(PrivateBy by) {
  switch (by) {
    case PrivateBy::kNone:
      break;
    case PrivateBy::kIgnored:
      return "ignored before the job";
    case PrivateBy::kHidden:
      return "changed before, and hidden with skip-worktree or assume-unchanged";
    case PrivateBy::kFilter:
      return "converted by a filter of the repository's configuration, which pedrocli does not run";
    case PrivateBy::kUser:
      return "changed by you during the job";
    case PrivateBy::kSecret:
      return "has a secret of your files, or is a copy of an ignored file";
  }
  return "";
}

/// Returns a path on one line, with control characters quoted.
std::string shown_path(std::string_view path) {
  const bool plain = std::none_of(path.begin(), path.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
  });
  return plain ? make_printable(path) : to_line(Json(make_printable(path)));
}

// Returns a line for each path.
std::string path_lines(std::string_view what, const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) text += fmt::format("- {}: {}\n", what, shown_path(path));
  return text;
}

std::string delivery_lines(const Delivery& delivery) {
  std::string text;
  if (delivery.commit.empty()) return "No commit was made.\n";
  text += fmt::format("- branch: {}\n", delivery.branch);
  if (delivery.left_branch) text += fmt::format("- to see it: git switch {}\n", delivery.branch);
  if (!delivery.stayed.empty()) {
    text += fmt::format("- the checkout was not restored: {}\n",
                        replace_all(trim(delivery.stayed), "\n", "\n  "));
  }
  text += fmt::format("- commit: {}\n", delivery.commit.substr(0, 12));
  if (!delivery.not_signed.empty()) {
    text += fmt::format("- not signed: {}\n", delivery.not_signed);
  }
  if (!delivery.patch_path.empty()) text += fmt::format("- patch: {}\n", delivery.patch_path);
  if (!delivery.pr_url.empty()) text += fmt::format("- pull request: {}\n", delivery.pr_url);
  text += path_lines("changed", delivery.files);
  text += path_lines("different in the commit and the work tree", delivery.otherwise);
  text += path_lines("different line ends in the commit", delivery.line_ends);
  text += path_lines("with your earlier uncommitted changes in it", delivery.mixed);
  text += path_lines("omitted, generated", delivery.left_out);
  for (const ChangedFile& file : delivery.kept_private) {
    text += fmt::format("- omitted, {}: {}\n", reason_of(file.private_by), shown_path(file.path));
  }
  text += path_lines("omitted, new and larger than 50 MiB", delivery.large);
  text += path_lines("left unchanged, uncommitted before", delivery.untouched);
  if (delivery.problem) text += fmt::format("- problem: {}\n", delivery.problem->message);
  return text;
}

std::string warning_lines(const BuildResult& result) {
  std::string text = path_lines("written, but git does not add it (ignored?)", result.undelivered);
  text += path_lines("removed during the job, and git ignores it, so no undo restores it",
                     result.removed_ignored);
  text += path_lines("removed during the job, and git ignores it; an undo restores it",
                     result.copied_ignored);
  for (const std::string& line : result.moved_branches) {
    text += fmt::format("- during the job branch {}\n", line);
  }
  return text;
}

std::string how_it_ended(const CheckOutcome& outcome) {
  return outcome.passed      ? "passed, exit 0"
         : outcome.timed_out ? "timed out"
                             : fmt::format("failed, exit {}", outcome.exit_code);
}

const CheckOutcome* outcome_of(const std::vector<CheckOutcome>& outcomes,
                               const std::string& command) {
  const auto found = std::find_if(
      outcomes.begin(), outcomes.end(),
      [&command](const CheckOutcome& outcome) { return outcome.check.command == command; });
  return found == outcomes.end() ? nullptr : &*found;
}

std::string names_of_tests(const CheckOutcome& outcome) {
  std::vector<std::string> names = outcome.tests.failed;
  const std::size_t more = names.size() - std::min(names.size(), kMaxShownTests);
  names.resize(names.size() - more);
  return join(names, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

// Compares a check with its run before the work.
std::string before_the_work(const BuildResult& result, const CheckOutcome& outcome) {
  const CheckOutcome* before = outcome_of(result.baseline, outcome.check.command);
  if (before == nullptr) return "";
  if (result.known_failures.covers(outcome)) {
    return "; only in tests that failed before the work: " + names_of_tests(outcome);
  }
  if (before->passed || outcome.passed) {
    return fmt::format("; before the work: {}", how_it_ended(*before));
  }
  return FailingLines(outcome.output).adds_to(FailingLines(before->output))
             ? "; it failed before the work too, with other failures"
             : "; with the same failures as before the work";
}

std::string check_lines(const BuildResult& result) {
  if (result.checks.empty()) return "No checks were run.\n";
  const Delivery& delivery = result.delivery;
  std::string text;
  if (!delivery.left_out.empty() || !delivery.large.empty() || !delivery.untouched.empty()) {
    text += "They ran in the work tree, which also holds files that are not in the commit.\n\n";
  }
  for (const CheckOutcome& outcome : result.checks) {
    text += fmt::format("- `{}` (from {}): {}{}\n", outcome.check.command, outcome.check.source,
                        how_it_ended(outcome), before_the_work(result, outcome));
    if (!outcome.passed) text += fmt::format("\n```\n{}\n```\n", trim(outcome.output));
  }
  return text;
}

// Describes the extent to which the checks cover the issue, if they passed before the work.
std::string blind_line(const BuildResult& result) {
  const bool saw_it = result.reproduction || !all_passed(result.baseline);
  if (result.end != BuildEnd::kVerified || result.baseline.empty() || saw_it) return "";
  if (result.tests_on_base.empty()) {
    return "\nThe checks did not detect this issue: they passed before the work too.\n";
  }
  if (all_passed(result.tests_on_base)) {
    return "\nThe checks did not detect this issue: the job's tests pass on the base's sources "
           "too.\n";
  }
  return "\nThe job's tests fail on the base's sources, so they show the issue.\n";
}

constexpr double kLongSeconds = 10;

// Returns the time of all runs outside of the work tree.
double clean_seconds(const BuildResult& result) {
  double seconds = 0;
  for (const auto* outcomes : {&result.clean_checks, &result.base_checks, &result.tests_on_base}) {
    for (const CheckOutcome& outcome : *outcomes) seconds += outcome.duration_s;
  }
  return seconds;
}

std::string clean_lines(const BuildResult& result) {
  const CheckOutcome* clean = result.known_failures.first_other(result.clean_checks);
  const CheckOutcome* base = result.known_failures.first_other(result.base_checks);
  std::string text;
  if (clean != nullptr) {
    text += fmt::format("\nIn a clean checkout of the commit:\n\n- `{}`: {}\n\n```\n{}\n```\n",
                        clean->check.command, how_it_ended(*clean), trim(clean->output));
  } else if (!result.clean_checks.empty()) {
    const double seconds = clean_seconds(result);
    text += "\nThey pass in a clean checkout of the commit too. That took ";
    text += seconds < kLongSeconds ? fmt::format("less than {} s.\n", kLongSeconds)
                                   : fmt::format("{:.0f} s.\n", seconds);
  } else if (is_in_place_only(result)) {
    text += "\nThey passed in the work tree only: no clean checkout was made.\n";
  }
  if (result.check_files.empty()) return text;
  text += "\n## Tests and check definitions changed by this job\n\n";
  for (const std::string& file : result.check_files)
    text += fmt::format("- {}\n", shown_path(file));
  if (base == nullptr)
    return text + "\nWith the base's version of these the checks pass as well.\n";
  return text + fmt::format("\nWith the base's version of these:\n\n- `{}`: {}\n\n```\n{}\n```\n",
                            base->check.command, how_it_ended(*base), trim(base->output));
}

std::string reproduction_lines(const BuildResult& result) {
  const CheckOutcome& before = *result.reproduction;
  std::string text = fmt::format("\n## Reproduction\n\n- `{}` before the change: {}\n",
                                 before.check.command, how_it_ended(before));
  for (const CheckOutcome& earlier : result.replaced_reproductions) {
    text += fmt::format("- it replaces `{}` before the change: {}\n", earlier.check.command,
                        how_it_ended(earlier));
  }
  text += path_lines("changed afterwards, so it proves nothing", result.changed_evidence);
  return text + fmt::format("\n```\n{}\n```\n", trim(before.output));
}

// Returns true if a phase may write files. The report shows its summary.
bool changes_files(const Phase& phase) {
  return phase.allow.contains(Permission::kWrite);
}

}  // namespace

std::string cost_lines(const Executor& executor) {
  const Usage& usage = executor.total_usage();
  const std::string unused =
      executor.unused_replies() > 0
          ? fmt::format("- replies without a usable call: {}\n", executor.unused_replies())
          : "";
  const std::string estimated = usage.estimated_tokens > 0
                                    ? fmt::format(", {} of them estimated", usage.estimated_tokens)
                                    : "";
  return fmt::format(
      "\n## Cost\n\n- rounds: {}\n- calls: {}, of which not valid: {}\n- refused phase ends: {}\n{}"
      "- prompt tokens: {}{}, of which from the cache: {}\n- evaluated twice: {}\n"
      "- generated tokens: {}\n",
      executor.rounds(), executor.calls(), executor.invalid_calls(), executor.refused_ends(),
      unused, usage.prompt_tokens, estimated, usage.cached_tokens, executor.cache_missed_tokens(),
      usage.generated_tokens);
}

std::string build_report(const Workflow& workflow, const BuildTask& task, const BuildResult& result,
                         const Executor& executor) {
  std::string text = fmt::format("# {}\n\n{}{}{}.\n", task.title, verdict(result),
                                 has_known_failures(result) ? kKnownFailures : "",
                                 result.reason.empty() ? "" : ": " + result.reason);
  if (!result.message.empty()) {
    const std::string shown = cut_middle(trim(result.message), kMaxMessageBytes, "");
    text += fmt::format("\nThe message:\n\n> {}\n", replace_all(shown, "\n", "\n> "));
  }
  if (!result.claim_findings.empty()) {
    text += "\n- " + join(result.claim_findings, "\n- ") + "\n";
  }
  text += blind_line(result);
  for (const Phase& phase : workflow.phases) {
    const auto output = result.outputs.find(phase.name);
    if (output == result.outputs.end() || !changes_files(phase)) continue;
    const std::string summary = text_of(output->second, "summary");
    if (!summary.empty()) text += fmt::format("\n{}\n", trim(summary));
  }
  text +=
      fmt::format("\n## Result\n\n{}{}", delivery_lines(result.delivery), warning_lines(result));
  if (result.reproduction) text += reproduction_lines(result);
  text += fmt::format("\n## Checks\n\n{}", check_lines(result));
  text += clean_lines(result);
  text += cost_lines(executor);
  return make_printable(text);  // printed to a terminal, with text of a model
}

}  // namespace pedro
