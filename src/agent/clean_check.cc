#include "agent/clean_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "agent/asked_tests.h"
#include "agent/check_files.h"
#include "agent/check_names.h"
#include "agent/failing_texts.h"
#include "agent/kept_tests.h"
#include "agent/other_expectations.h"
#include "agent/other_literals.h"
#include "agent/reproduction.h"
#include "agent/runner_use.h"
#include "agent/task_files.h"
#include "base/text.h"
#include "git/commit_files.h"
#include "sys/file_system.h"
#include "sys/interrupted.h"
#include "tools/language.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTests = 200;    // test files that are read
constexpr std::size_t kMaxPrograms = 20;  // programs that are read
constexpr double kMaxCanary_s = 60;       // longer checks do not run again
constexpr const char* kOnlyChanged =
    "the checks pass only with the tests or check definitions that the job changed";

void reject(BuildResult& result, std::string reason) {
  result.end = BuildEnd::kNotVerified;
  result.reason = std::move(reason);
}

// Compares two runs of a check, the second of which must pass. Returns the reason why it does not
// count: fewer tests ran, or tests failed in spite of exit code 0.
std::string doubt_about(const CheckOutcome& before, const CheckOutcome& now) {
  if (now.tests.ran < before.tests.ran) {
    return fmt::format("`{}` ran {} tests, before the work {}", now.check.command, now.tests.ran,
                       before.tests.ran);
  }
  const bool hides = now.passed && now.tests.failures > 0;
  const bool always = before.passed && before.tests.failures >= now.tests.failures;
  if (!hides || always) return "";
  return fmt::format("`{}` ended with exit code 0, but reports {} failed tests", now.check.command,
                     now.tests.failures);
}

std::string doubt_about(const std::vector<CheckOutcome>& before,
                        const std::vector<CheckOutcome>& now) {
  for (const CheckOutcome& outcome : now) {
    for (const CheckOutcome& earlier : before) {
      if (earlier.check.command != outcome.check.command) continue;
      if (std::string doubt = doubt_about(earlier, outcome); !doubt.empty()) return doubt;
    }
  }
  return "";
}

// Returns the outcomes with the base's tests, unless the task asks to change these tests.
const std::vector<CheckOutcome>& last_of(const BuildResult& result) {
  const bool is_of_base = !result.base_checks.empty() &&
                          result.known_failures.first_other(result.base_checks) == nullptr;
  return is_of_base ? result.base_checks : result.clean_checks;
}

// Doubts checks that pass although `edit` makes their programs fail. Checks that also pass if the
// same files fail at once only compile or read them.
Result<std::string> doubt_with_failing(const CleanRunner& run, CleanRequest request,
                                       const TestEdit& edit, const std::string& green_base) {
  std::set<std::string> changed;
  request.edit = [&changed, &edit](const TestTexts& texts) {
    auto others = edit(texts);
    for (const auto& [path, text] : others) changed.insert(path);
    return others;
  };
  PEDRO_TRY(const auto outcomes, run(request));
  if (outcomes.empty() || !all_passed(outcomes)) return std::string();
  if (!green_base.empty()) {
    CleanRequest before = request;
    before.commit = green_base;
    before.of_base.clear();
    PEDRO_TRY(const auto known, run(before));
    if (all_passed(known)) return std::string();
  }
  request.tests = changed;
  request.edit = stopped_texts;
  PEDRO_TRY(const auto failing, run(request));
  return all_passed(failing) ? std::string()
                             : "`" + *changed.begin() + "` passes although it must fail";
}

// Returns the programs that checks run by their paths or folders, and whose status is the check's.
std::set<std::string> programs_in(const std::vector<Check>& checks,
                                  const std::set<std::string>& paths) {
  std::set<std::string> words;
  for (const Check& check : checks) {
    if (check.command.find_first_of("|;$`") != std::string::npos) continue;
    for (std::string_view word : split(check.command, ' ')) {
      if (word.starts_with("./")) word.remove_prefix(2);
      words.emplace(word.substr(0, word.find_last_not_of('/') + 1));
    }
  }
  std::set<std::string> programs;
  std::ranges::copy_if(paths, std::inserter(programs, programs.end()), [&](const auto& path) {
    const bool is_package = path.ends_with(".go") && words.contains(std::string(folder_name(path)));
    return has_program_extension(path) && (is_package || words.contains(path));
  });
  return programs;
}

double duration_of(const std::vector<CheckOutcome>& outcomes) {
  double duration_s = 0;
  for (const CheckOutcome& outcome : outcomes) duration_s += outcome.duration_s;
  return duration_s;
}

std::set<std::string> failed_in(const std::vector<CheckOutcome>& outcomes) {
  std::set<std::string> tests;
  for (const CheckOutcome& outcome : outcomes) {
    tests.insert(outcome.tests.failed.begin(), outcome.tests.failed.end());
  }
  return tests;
}

bool reports_canary(const CheckOutcome& outcome) {
  return !outcome.passed && names_canary(outcome.output);
}

// Returns the tests that failed in `now` only, without canaries.
std::set<std::string> others_than_canary(const std::vector<CheckOutcome>& before,
                                         const std::vector<CheckOutcome>& now) {
  std::set<std::string> tests = failed_in(now);
  for (const std::string& test : failed_in(before)) tests.erase(test);
  std::erase_if(tests, [](const std::string& test) { return names_canary(test); });
  return tests;
}

}  // namespace

Status CleanCheck::apply(BuildResult& result) const {
  if (result.end == BuildEnd::kVerified && !result.delivery.otherwise.empty()) {
    reject(result, "the checks pass, but the commit differs from the checked files");
  }
  PEDRO_TRY(result.undelivered, undelivered(result.delivery));
  if (result.end == BuildEnd::kVerified && !result.undelivered.empty()) {
    reject(result, "the checks pass, but files that belong to the work are not in the commit");
  }
  if (result.end != BuildEnd::kVerified || !run_clean_) return {};
  const Status checked = check_commit(result);
  if (checked) return {};
  const bool is_stopped = checked.error().kind == ErrorKind::kInterrupted;
  if (is_stopped && !is_late(checked.error(), cancel_)) return checked;
  reject(result, "the commit could not be checked in a clean checkout: " + checked.error().message);
  return {};
}

Status CleanCheck::check_commit(BuildResult& result) const {
  PEDRO_TRY(const auto changed, ChangedChecks::open(repository_, base_, task_));
  PEDRO_RETURN_IF_ERROR(run_anew(result, *changed));
  return result.end == BuildEnd::kVerified ? require_failures(result, *changed) : Status();
}

// Runs the checks on the commit, then with the base's tests and check definitions. If all checks
// passed before the work, also runs the job's tests on the base's sources.
Status CleanCheck::run_anew(BuildResult& result, const ChangedChecks& changed) const {
  const std::string& commit = result.delivery.commit;
  std::set<std::string> rewritten;
  auto outcomes = run_clean_({.commit = commit,
                              .base = base_,
                              .of_base = {},
                              .checks = tree_.checks(),
                              .rewritten = &rewritten});
  if (!outcomes) return outcomes.error();
  result.clean_checks = *std::move(outcomes);
  if (!tree_.known_failures().accept(result.clean_checks)) {
    reject(result, "the checks pass in the work tree, but not in a clean checkout of the commit");
    return {};
  }
  // The reproduction may run files that the job wrote.
  std::vector<Check> checks = tree_.checks();
  std::erase_if(checks, [&](const Check& check) { return check.source == Reproduction::kSource; });
  PEDRO_TRY(const std::string changed_inside, changed.find(result, checks));
  if (!changed_inside.empty()) {
    reject(result, "tests inside " + changed_inside +
                       " were changed or removed, and cannot be run as the base has them");
    return {};
  }
  add_redefining(result, checks, changed);
  if (result.check_files.empty() || checks.empty()) {
    if (Status all = require_tests(result, checks); !all) return all;
    return require_unwritten(result, checks, changed, rewritten);
  }
  outcomes = run_clean_({.commit = commit,
                         .base = base_,
                         .of_base = result.check_files,
                         .checks = checks,
                         .rewritten = &rewritten});
  if (!outcomes) return outcomes.error();
  result.base_checks = *std::move(outcomes);
  const bool passes = tree_.known_failures().accept(result.base_checks);
  if (!passes && changed.fails_without_new_tests(result)) {
    reject(result, kOnlyChanged);
    return {};
  }
  const bool are_helpers = are_named_helpers(task_, result.check_files, changed.base_text());
  if (!passes && !are_helpers) {
    PEDRO_TRY(const auto renamed, run_renamed(result, checks));
    const bool are_asked = are_asked_tests(task_, result.check_files, changed.base_text());
    const bool are_renamed = !renamed.empty() && tree_.known_failures().accept(renamed);
    if (are_renamed && !are_asked) return require_tests(result, checks);
    const std::string unasked = unasked_in(result, renamed.empty() ? result.base_checks : renamed);
    if (!are_asked || !unasked.empty()) {
      reject(result, unasked.empty() || !are_asked
                         ? kOnlyChanged
                         : fmt::format("{}, and the task does not ask to change `{}`", kOnlyChanged,
                                       unasked));
      return {};
    }
  }
  if (Status all = require_tests(result, checks); !all) return all;
  if (Status kept = require_unwritten(result, checks, changed, rewritten); !kept) return kept;
  if (result.end != BuildEnd::kVerified || (passes && !all_passed(result.baseline))) return {};
  outcomes = run_clean_(
      {.commit = base_, .base = commit, .of_base = result.check_files, .checks = checks});
  if (!outcomes) return outcomes.error();
  result.tests_on_base = *std::move(outcomes);
  if (!passes && !are_helpers && all_passed(result.tests_on_base)) reject(result, kOnlyChanged);
  return {};
}

// Adds the scripts that replace functions of the tests that load them to the files of the checks.
void CleanCheck::add_redefining(BuildResult& result, const std::vector<Check>& checks,
                                const ChangedChecks& changed) const {
  std::set<std::string> tests;  // found for the first script
  for (const std::string& path : result.delivery.files) {
    const bool is_script = language_of(path) == Language::kUnknown && has_program_extension(path);
    if (!is_script || result.check_files.contains(path)) continue;
    if (tests.empty()) tests = changed.programs_of(checks);
    const auto now = CommitFiles(repository_.git()).text_at(result.delivery.commit, path);
    const std::string before = changed.base_text()(path);
    const bool redefines =
        now && std::ranges::any_of(tests, [&](const std::string& test) {
          const std::string text = changed.base_text()(test);
          return names_file(text, path) && redefines_function(before, *now, text);
        });
    if (redefines) result.check_files.insert(path);
  }
}

// Runs the base's tests with the names that the task asks for; returns nothing if there are none.
Result<std::vector<CheckOutcome>> CleanCheck::run_renamed(const BuildResult& result,
                                                          const std::vector<Check>& checks) const {
  const Renames names = asked_renames(task_);
  if (names.empty()) return std::vector<CheckOutcome>();
  CleanRequest request{.commit = result.delivery.commit,
                       .base = base_,
                       .of_base = result.check_files,
                       .checks = checks,
                       .tests = result.check_files};
  request.edit = [&names](const TestTexts& texts) {
    TestTexts others;
    for (const auto& [path, text] : texts) {
      std::string other = renamed(text, names);
      if (other != text) others[path] = std::move(other);
    }
    return others;
  };
  return run_clean_(request);
}

// Returns a test that the task does not ask to change, but that passes only as the job changed it.
// "" if there is none. A module that cannot be loaded is no test.
std::string CleanCheck::unasked_in(const BuildResult& result,
                                   const std::vector<CheckOutcome>& of_base) const {
  const std::set<std::string> failed_now = failed_in(result.clean_checks);
  std::vector<std::string> tests;
  for (const std::string& test : failed_in(of_base)) {
    const bool is_loaded = test.find("_FailedTest") == test.npos;
    if (is_loaded && !failed_now.contains(test)) tests.push_back(test);
  }
  return unasked_test(task_, tests, failed_in(result.baseline));
}

// Rejects work with which fewer tests run or failures are hidden: skipped, deselected, or cut off
// by an early exit. The user's tree may have tests that no clone has, so a smaller number is
// compared with a clone's.
Status CleanCheck::require_tests(BuildResult& result, const std::vector<Check>& checks) const {
  const auto& last = last_of(result);
  if (doubt_about(result.baseline, last).empty()) return {};
  PEDRO_TRY(const auto before,
            run_clean_({.commit = base_, .base = base_, .of_base = {}, .checks = checks}));
  const std::string doubt = doubt_about(before, last);
  if (!doubt.empty()) reject(result, "the checks pass, but not as they should: " + doubt);
  return {};
}

// Rejects work that writes tests or expected outputs while the checks run. Ignores files that the
// checks of the base write too.
Status CleanCheck::require_unwritten(BuildResult& result, const std::vector<Check>& checks,
                                     const ChangedChecks& changed,
                                     const std::set<std::string>& rewritten) const {
  if (result.end != BuildEnd::kVerified) return {};
  std::vector<std::string> kept;  // files that the base has
  std::ranges::set_intersection(rewritten, changed.paths(), std::back_inserter(kept));
  PEDRO_TRY(std::set<std::string> of_checks,
            changed.files_of(kept, result.delivery.commit, checks));
  if (of_checks.empty()) return {};
  std::set<std::string> always;
  PEDRO_TRY(
      const auto before,
      run_clean_(
          {.commit = base_, .base = base_, .of_base = {}, .checks = checks, .rewritten = &always}));
  for (const std::string& path : always) of_checks.erase(path);
  if (of_checks.empty()) return {};
  reject(result, fmt::format("the checks pass, but with these sources they write to `{}`, which "
                             "belongs to the checks",
                             *of_checks.begin()));
  return {};
}

// Rejects work that passes tests which must fail, although all checks pass.
Status CleanCheck::require_failures(BuildResult& result, const ChangedChecks& changed) const {
  const auto& last = last_of(result);
  CleanRequest request{
      .commit = result.delivery.commit, .base = base_, .of_base = {}, .checks = {}};
  if (&last == &result.base_checks) request.of_base = result.check_files;
  CleanRequest all = request;
  for (const CheckOutcome& outcome : last) {
    if (outcome.check.source == Reproduction::kSource) continue;
    all.checks.push_back(outcome.check);
    if (outcome.tests.ran > 0) request.checks.push_back(outcome.check);
  }
  // The work may have made its checks slow.
  const double duration_s = duration_of(result.baseline.empty() ? last : result.baseline);
  if (all.checks.empty() || duration_s > kMaxCanary_s) return {};
  for (const std::string& path : changed.programs_of(all.checks)) {
    const bool is_program = language_of(path) != Language::kUnknown && !is_check_definition(path);
    const bool is_test = is_test_path(path) && has_program_extension(path);
    if ((!is_test && !is_program) || all.tests.size() == kMaxTests) continue;
    all.tests.insert(path);
    if (is_test_path(path) && language_of(path) != Language::kUnknown) request.tests.insert(path);
  }
  const bool has_canary = !request.checks.empty();
  TestEdit edit = [has_canary](const auto& texts) { return failing_texts(texts, has_canary); };
  if (all.tests.empty()) {
    PEDRO_TRY(all.tests, test_programs(changed.base_text()));
  }
  if (all.tests.empty()) {
    all.tests = programs_in(all.checks, changed.paths());
    edit = ended_texts;
  }
  std::string doubt;
  if (has_canary) {
    PEDRO_TRY(doubt, doubt_with_canary(result, request));
  }
  if (doubt.empty() && has_canary) {
    PEDRO_TRY(doubt, doubt_with_other_values(result, std::move(request)));
  }
  if (doubt.empty()) {
    const std::string green_base = all_passed(result.baseline) ? base_ : "";
    PEDRO_TRY(doubt, doubt_with_failing(run_clean_, std::move(all), edit, green_base));
  }
  if (!doubt.empty()) reject(result, "the checks pass, but " + doubt);
  return {};
}

// Returns the test programs of the commit before the work.
Result<std::set<std::string>> CleanCheck::test_programs(const TextOfBase& base) const {
  PEDRO_TRY(std::vector<std::string> paths, CommitFiles(repository_.git()).naming(base_, "main"));
  std::erase_if(paths, [](const std::string& path) { return !has_char_literals(path); });
  if (paths.size() > kMaxPrograms) paths.resize(kMaxPrograms);
  std::erase_if(paths,
                [&base](const std::string& path) { return !is_test_program(path, base(path)); });
  return std::set<std::string>(paths.begin(), paths.end());
}

// Runs a request, and once more if there is a doubt: tests may fail by chance. Each run has its own
// checkout, so that no source can leave a mark for the next one.
Result<std::string> CleanCheck::doubt_of(const CleanRequest& request, const Doubt& doubt) const {
  std::string reason;
  for (int run = 0; run < 2; ++run) {
    PEDRO_TRY(const auto outcomes, run_clean_(request));
    reason = doubt(outcomes);
    if (reason.empty()) break;
  }
  return reason;
}

// Adds a failing test, the canary. There is a doubt if these sources end the test runner early,
// disable its assertions, or make other tests fail. Ignores what the base's sources do too.
Result<std::string> CleanCheck::doubt_with_canary(const BuildResult& result,
                                                  CleanRequest request) const {
  request.edit = canary_texts;
  const auto& last = last_of(result);
  PEDRO_TRY(std::string doubt, doubt_of(request, [&](const auto& now) -> std::string {
              if (now.empty()) return "";
              if (!std::ranges::any_of(now, reports_canary))
                return "with these sources they do not report an added failing test";
              const std::set<std::string> others = others_than_canary(last, now);
              if (others.empty()) return "";
              return fmt::format("`{}` fails if a test is added to its file", *others.begin());
            }));
  if (doubt.empty()) return doubt;
  request.commit = base_;
  request.of_base.clear();
  PEDRO_TRY(const auto before, run_clean_(request));
  const bool is_known = !std::ranges::any_of(before, reports_canary) ||
                        !others_than_canary(result.baseline, before).empty();
  return is_known ? "" : std::move(doubt);
}

// Changes the values that the task's tests expect. There is a doubt if one passes anyway: objects
// that equal everything, sources that read the test, replaced tests.
Result<std::string> CleanCheck::doubt_with_other_values(const BuildResult& result,
                                                        CleanRequest request) const {
  std::vector<std::string> failed;
  for (const CheckOutcome& outcome : result.baseline) {
    failed.insert(failed.end(), outcome.tests.failed.begin(), outcome.tests.failed.end());
  }
  if (failed.empty()) return std::string();
  std::set<std::string> changed;
  request.edit = [&](const TestTexts& tests) {
    OtherExpectations others = other_expectations(tests, failed);
    changed = std::move(others.tests);
    return std::move(others.texts);
  };
  return doubt_of(request, [&](const auto& now) -> std::string {
    bool is_known = false;
    for (const CheckOutcome& outcome : now) {
      is_known = is_known || outcome.passed || !outcome.tests.failed.empty();
      for (const std::string& test : outcome.tests.failed) changed.erase(without_parameters(test));
    }
    if (!is_known || changed.empty()) return "";
    return fmt::format("`{}` passes for other expected values too", *changed.begin());
  });
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
  return CommitFiles(repository_.git()).not_in(delivery.commit, written);
}

}  // namespace pedro
