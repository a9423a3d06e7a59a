#include "agent/clean_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "agent/asked_tests.h"
#include "agent/canary.h"
#include "agent/check_files.h"
#include "agent/failing_start.h"
#include "agent/inline_tests.h"
#include "agent/other_expectations.h"
#include "agent/other_literals.h"
#include "agent/reproduction.h"
#include "agent/runner_use.h"
#include "agent/source_lists.h"
#include "agent/task_files.h"
#include "agent/test_literals.h"
#include "agent/test_program.h"
#include "git/commit_files.h"
#include "sys/interrupted.h"
#include "tools/language.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr int kMaxDataFiles = 50;
constexpr std::size_t kMaxSources = 20'000;
constexpr std::size_t kMaxTests = 200;    // test files that are read
constexpr std::size_t kMaxPrograms = 20;  // programs that are read
constexpr double kMaxCanary_s = 60;       // longer checks do not run again
constexpr const char* kOnlyChanged =
    "the checks pass only with the tests or check definitions that the job changed";

void reject(BuildResult& result, std::string reason) {
  result.end = BuildEnd::kNotVerified;
  result.reason = std::move(reason);
}

bool names_doctest(const std::vector<Check>& checks, const TextOfBase& text_of_base) {
  std::string text;
  for (const Check& check : checks) text += check.command + "\n";
  for (const char* path : {"Makefile", "pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"}) {
    text += text_of_base(path);
  }
  return text.find("doctest") != text.npos;
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

// Returns true if a text contains the name of a source file, with or without its extension.
bool names_source(std::string_view text, const std::string& path) {
  constexpr std::size_t kShortestStem = 3;  // bytes; shorter names occur in any text
  const std::string_view name = base_name(path);
  const std::string_view stem = name.substr(0, name.find('.'));
  const bool is_program = stem == name || has_program_extension(path);
  return is_program && (has_whole_words(text, name) ||
                        (stem.size() >= kShortestStem && has_whole_words(text, stem)));
}

// Returns the outcomes with the base's tests, unless the task asks to change these tests.
const std::vector<CheckOutcome>& last_of(const BuildResult& result) {
  const bool is_of_base = !result.base_checks.empty() &&
                          result.known_failures.first_other(result.base_checks) == nullptr;
  return is_of_base ? result.base_checks : result.clean_checks;
}

// Changes the literals of all assertions if no canary can be added. Doubts checks that pass with
// other literals. Checks that also pass if the same files fail at once only compile or read them.
Result<std::string> doubt_with_other_literals(const CleanRunner& run, CleanRequest request,
                                              const std::string& green_base) {
  std::set<std::string> changed;
  request.edit = [&changed](const std::map<std::string, std::string>& texts) {
    auto others =
        canary_texts(texts).empty() ? other_literals(texts) : std::map<std::string, std::string>();
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
  request.edit = [](std::map<std::string, std::string> texts) {
    for (auto& [path, text] : texts) {
      const std::string failing = failing_start(path, text);
      text = failing.empty() ? "@@@ no program of any language ((\n" : failing;
    }
    return texts;
  };
  PEDRO_TRY(const auto failing, run(request));
  return all_passed(failing) ? std::string()
                             : "`" + *changed.begin() + "` passes for other values too";
}

bool reports_canary(const CheckOutcome& outcome) {
  return !outcome.passed && names_canary(outcome.output);
}

// Returns the tests that failed in `now` only, without canaries.
std::set<std::string> others_than_canary(const std::vector<CheckOutcome>& before,
                                         const std::vector<CheckOutcome>& now) {
  std::set<std::string> tests;
  for (const CheckOutcome& outcome : now) {
    tests.insert(outcome.tests.failed.begin(), outcome.tests.failed.end());
  }
  for (const CheckOutcome& outcome : before) {
    for (const std::string& test : outcome.tests.failed) tests.erase(test);
  }
  std::erase_if(tests, [](const std::string& test) { return names_canary(test); });
  return tests;
}

}  // namespace

Status CleanCheck::apply(BuildResult& result) const {
  if (result.end == BuildEnd::kVerified && !result.delivery.otherwise.empty()) {
    reject(result, "the checks pass, but the commit differs from the checked files");
  }
  PEDRO_TRY(auto missing, undelivered(result.delivery));
  result.undelivered = std::move(missing);
  if (result.end == BuildEnd::kVerified && !result.undelivered.empty()) {
    reject(result, "the checks pass, but files that belong to the work are not in the commit");
  }
  if (result.end != BuildEnd::kVerified || !run_clean_) return {};
  Status checked = run_anew(result);
  if (checked && result.end == BuildEnd::kVerified) checked = require_failures(result);
  if (checked) return {};
  const bool is_stopped = checked.error().kind == ErrorKind::kInterrupted;
  if (is_stopped && !is_late(checked.error(), cancel_)) return checked;
  reject(result, "the commit could not be checked in a clean checkout: " + checked.error().message);
  return {};
}

// Returns "" for a missing file.
std::string CleanCheck::text_at(const std::string& commit, const std::string& path) const {
  auto text = CommitFiles(repository_.git()).text_at(commit, path);
  return text ? *std::move(text) : "";
}

// Reads the files before the work. Returns git's errors.
Result<std::unique_ptr<const CleanCheck::Base>> CleanCheck::read_base() const {
  auto base = std::make_unique<Base>();
  PEDRO_TRY(base->paths, CommitFiles(repository_.git()).paths_in(base_, {}));
  PEDRO_TRY(base->links, CommitFiles(repository_.git()).links(base_));
  base->text = [this, read = std::make_shared<std::map<std::string, std::string>>(),
                paths = &base->paths](const std::string& path) -> std::string {
    if (!paths->contains(path)) return "";
    const auto known = read->find(path);
    return known != read->end() ? known->second : ((*read)[path] = text_at(base_, path));
  };
  return std::unique_ptr<const Base>(std::move(base));
}

// Returns true for a data file that belongs to the checks: an expected output, or a test's cases.
// A check names it together with the program. The program and the task do not name it.
Result<bool> CleanCheck::is_data_of_checks(const std::string& path,
                                           const std::vector<Check>& checks,
                                           const Base& base) const {
  const std::string name(base_name(path));
  const bool is_program = has_program_extension(path) || base.text(path).starts_with("#!");
  if (is_program || has_whole_words(task_, name)) return false;
  PEDRO_TRY(std::vector<std::string> users, CommitFiles(repository_.git()).naming(base_, name));
  std::erase(users, path);
  const std::set<std::string> of_checks = check_files(users, checks, base.text, base.links);
  const bool is_used = std::ranges::any_of(users, [&](const std::string& user) {
    return !of_checks.contains(user) && language_of(user) != Language::kUnknown;
  });
  if (is_used || base.paths.size() > kMaxSources) return false;
  std::string texts;
  for (const std::string& user : of_checks) texts += base.text(user) + "\n";
  for (const Check& check : checks) {
    if (has_whole_words(check.command, name)) texts += check.command + "\n";
  }
  return std::ranges::any_of(base.paths, [&](const std::string& source) {
    return source != path && !of_checks.contains(source) && !is_test_path(source) &&
           names_source(texts, source);
  });
}

// Returns the files that are tests, define the checks, or are their data.
Result<std::set<std::string>> CleanCheck::files_of_checks(const std::vector<std::string>& paths,
                                                          const std::vector<Check>& checks,
                                                          const Base& base) const {
  std::set<std::string> found = check_files(paths, checks, base.text, base.links);
  int asked = 0;
  for (const std::string& path : paths) {
    if (found.contains(path) || !base.paths.contains(path) || ++asked > kMaxDataFiles) continue;
    PEDRO_TRY(const bool is_data, is_data_of_checks(path, checks, base));
    if (is_data) found.insert(path);
  }
  return found;
}

// Sets `check_files`. Returns the first other file in which tests were changed or removed, or "".
Result<std::string> CleanCheck::find_check_files(BuildResult& result,
                                                 const std::vector<Check>& checks,
                                                 const Base& base) const {
  const bool runs_doctest = names_doctest(checks, base.text);
  const bool is_plugin = is_runner_plugin(base.text);
  std::set<std::string> paths = result.earlier_files;
  paths.insert(result.delivery.files.begin(), result.delivery.files.end());
  const std::vector<std::string> changed(paths.begin(), paths.end());
  PEDRO_TRY(result.check_files, files_of_checks(changed, checks, base));
  std::set<std::string> sources;  // new ones
  std::ranges::copy_if(changed, std::inserter(sources, sources.end()), [&](const auto& path) {
    return !base.paths.contains(path) && !result.check_files.contains(path) &&
           language_of(path) != Language::kUnknown;
  });
  std::erase_if(result.check_files, [&](const std::string& path) {
    return only_adds_sources(path, base.text(path), text_at(result.delivery.commit, path), sources);
  });
  for (const std::string& path : changed) {
    if (result.check_files.contains(path)) continue;
    const std::string before = base.text(path);
    const std::string now = text_at(result.delivery.commit, path);
    const bool changes_tests =
        is_test_program(path, before) && !keeps_test_program(path, before, now);
    if (changes_tests || newly_uses_runner(path, before, now) ||
        replaces_assertions(path, before, now) || (!is_plugin && is_test_helper(path, before))) {
      result.check_files.insert(path);
      continue;
    }
    const bool runs_examples = runs_doctest || !path.ends_with(".py");
    const auto tests = runs_examples ? InlineTests::kAll : InlineTests::kWithoutExamples;
    if (!keeps_inline_tests(path, before, now, tests)) return path;
  }
  return std::string();
}

// Runs the checks on the commit, then with the base's tests and check definitions. If all checks
// passed before the work, also runs the job's tests on the base's sources.
Status CleanCheck::run_anew(BuildResult& result) const {
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
  PEDRO_TRY(const auto base, read_base());
  PEDRO_TRY(const std::string changed_inside, find_check_files(result, checks, *base));
  if (!changed_inside.empty()) {
    reject(result, "tests inside " + changed_inside +
                       " were changed or removed, and cannot be run as the base has them");
    return {};
  }
  if (result.check_files.empty() || checks.empty()) {
    if (Status all = require_tests(result, checks); !all) return all;
    return require_unwritten(result, checks, *base, rewritten);
  }
  outcomes = run_clean_({.commit = commit,
                         .base = base_,
                         .of_base = result.check_files,
                         .checks = checks,
                         .rewritten = &rewritten});
  if (!outcomes) return outcomes.error();
  result.base_checks = *std::move(outcomes);
  const bool passes = tree_.known_failures().accept(result.base_checks);
  const bool are_helpers = are_named_helpers(task_, result.check_files, base->text);
  if (!passes && !are_helpers && !are_asked_tests(task_, result.check_files, base->text)) {
    reject(result, kOnlyChanged);
    return {};
  }
  if (Status all = require_tests(result, checks); !all) return all;
  if (Status kept = require_unwritten(result, checks, *base, rewritten); !kept) return kept;
  if (result.end != BuildEnd::kVerified || (passes && !all_passed(result.baseline))) return {};
  outcomes = run_clean_(
      {.commit = base_, .base = commit, .of_base = result.check_files, .checks = checks});
  if (!outcomes) return outcomes.error();
  result.tests_on_base = *std::move(outcomes);
  if (!passes && !are_helpers && all_passed(result.tests_on_base)) reject(result, kOnlyChanged);
  return {};
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
                                     const Base& base,
                                     const std::set<std::string>& rewritten) const {
  if (result.end != BuildEnd::kVerified) return {};
  std::vector<std::string> kept;  // files that the base has
  std::ranges::set_intersection(rewritten, base.paths, std::back_inserter(kept));
  PEDRO_TRY(std::set<std::string> of_checks, files_of_checks(kept, checks, base));
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
Status CleanCheck::require_failures(BuildResult& result) const {
  const auto& last = last_of(result);
  CleanRequest request{
      .commit = result.delivery.commit, .base = base_, .of_base = {}, .checks = {}};
  if (&last == &result.base_checks) request.of_base = result.check_files;
  CleanRequest all = request;
  double duration_s = 0;
  for (const CheckOutcome& outcome : last) {
    if (outcome.check.source == Reproduction::kSource) continue;
    all.checks.push_back(outcome.check);
    if (outcome.tests.ran > 0) request.checks.push_back(outcome.check);
    duration_s += outcome.duration_s;
  }
  if (all.checks.empty() || duration_s > kMaxCanary_s) return {};
  PEDRO_TRY(const auto paths, CommitFiles(repository_.git()).paths_in(base_, {}));
  for (const std::string& path : paths) {
    const bool is_test = is_test_path(path) && has_program_extension(path);
    if (!is_test || all.tests.size() == kMaxTests) continue;
    all.tests.insert(path);
    if (language_of(path) != Language::kUnknown) request.tests.insert(path);
  }
  if (all.tests.empty()) {
    PEDRO_TRY(all.tests, test_programs());
  }
  std::string doubt;
  if (!request.checks.empty()) {
    PEDRO_TRY(doubt, doubt_with_canary(result, request));
  }
  if (doubt.empty() && !request.checks.empty()) {
    PEDRO_TRY(doubt, doubt_with_other_values(result, std::move(request)));
  }
  if (doubt.empty()) {
    const std::string green_base = all_passed(result.baseline) ? base_ : "";
    PEDRO_TRY(doubt, doubt_with_other_literals(run_clean_, std::move(all), green_base));
  }
  if (!doubt.empty()) reject(result, "the checks pass, but " + doubt);
  return {};
}

// Returns the test programs of the commit before the work.
Result<std::set<std::string>> CleanCheck::test_programs() const {
  PEDRO_TRY(std::vector<std::string> paths, CommitFiles(repository_.git()).naming(base_, "main"));
  std::erase_if(paths, [](const std::string& path) { return !has_char_literals(path); });
  if (paths.size() > kMaxPrograms) paths.resize(kMaxPrograms);
  std::erase_if(paths, [this](const std::string& path) {
    return !is_test_program(path, text_at(base_, path));
  });
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

// Adds a failing test, the canary. There is a doubt if these sources end the test runner early or
// disable its assertions, or if other tests fail with it. Ignores what the base's sources do too.
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
  request.edit = [&](const std::map<std::string, std::string>& tests) {
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
