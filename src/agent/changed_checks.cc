#include "agent/changed_checks.h"

#include <algorithm>
#include <iterator>

#include "agent/check_names.h"
#include "agent/kept_tests.h"
#include "agent/runner_use.h"
#include "agent/task_files.h"
#include "base/text.h"
#include "git/commit_files.h"
#include "sys/file_system.h"
#include "tools/language.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr int kMaxDataFiles = 50;
constexpr std::size_t kMaxSources = 20'000;

bool names_doctest(const std::vector<Check>& checks, const TextOfBase& text_of_base) {
  std::string text;
  for (const Check& check : checks) text += check.command + "\n";
  for (const char* path : {"Makefile", "pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"}) {
    text += text_of_base(path);
  }
  return text.find("doctest") != text.npos;
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

}  // namespace

Result<std::unique_ptr<const ChangedChecks>> ChangedChecks::open(const Repository& repository,
                                                                 const std::string& base,
                                                                 const std::string& task) {
  std::unique_ptr<ChangedChecks> checks(new ChangedChecks(repository, base, task));
  PEDRO_TRY(checks->paths_, CommitFiles(repository.git()).paths_in(base, {}));
  PEDRO_TRY(checks->links_, CommitFiles(repository.git()).links(base));
  checks->base_text_ = [self = checks.get(),
                        read = std::make_shared<std::map<std::string, std::string>>()](
                           const std::string& path) -> std::string {
    if (!self->paths_.contains(path)) return "";
    const auto known = read->find(path);
    return known != read->end() ? known->second
                                : ((*read)[path] = self->text_at(self->base_, path));
  };
  return std::unique_ptr<const ChangedChecks>(std::move(checks));
}

std::set<std::string> ChangedChecks::programs_of(const std::vector<Check>& checks) const {
  std::vector<std::string> programs;
  std::ranges::copy_if(paths_, std::back_inserter(programs), has_program_extension);
  return check_files(programs, checks, base_text_, links_);
}

// Returns "" for a missing file.
std::string ChangedChecks::text_at(const std::string& commit, const std::string& path) const {
  auto text = CommitFiles(repository_.git()).text_at(commit, path);
  return text ? *std::move(text) : "";
}

// Returns true for a data file, no program, that belongs to the checks: an expected output, or a
// test's cases. A check names it together with the program. The program and the task do not name
// it.
Result<bool> ChangedChecks::is_data_of_checks(const std::string& path,
                                              const std::vector<Check>& checks) const {
  const std::string name(base_name(path));
  if (has_whole_words(task_, name)) return false;
  PEDRO_TRY(std::vector<std::string> users, CommitFiles(repository_.git()).naming(base_, name));
  std::erase(users, path);
  const std::set<std::string> of_checks = check_files(users, checks, base_text_, links_);
  const bool is_used = std::ranges::any_of(users, [&](const std::string& user) {
    return !of_checks.contains(user) && language_of(user) != Language::kUnknown;
  });
  if (is_used || paths_.size() > kMaxSources) return false;
  std::string texts;
  for (const std::string& user : of_checks) texts += base_text_(user) + "\n";
  for (const Check& check : checks) {
    if (has_whole_words(check.command, name)) texts += check.command + "\n";
  }
  return std::ranges::any_of(paths_, [&](const std::string& source) {
    return source != path && !of_checks.contains(source) && !is_test_path(source) &&
           names_source(texts, source);
  });
}

// Returns the files that are tests, define the checks, or are their data.
Result<std::set<std::string>> ChangedChecks::files_of(const std::vector<std::string>& paths,
                                                      const std::vector<Check>& checks) const {
  std::set<std::string> found = check_files(paths, checks, base_text_, links_);
  int asked = 0;
  for (const std::string& path : paths) {
    const bool is_program = has_program_extension(path) || base_text_(path).starts_with("#!");
    if (is_program || found.contains(path) || !paths_.contains(path)) continue;
    bool is_data = ++asked > kMaxDataFiles;
    if (!is_data) {
      PEDRO_TRY(is_data, is_data_of_checks(path, checks));
    }
    if (is_data) found.insert(path);
  }
  return found;
}

// Returns true if checks ran tests without a new file that they include. They have another one of
// that name, or do without it.
Result<bool> ChangedChecks::is_optional_part(const std::string& path,
                                             const std::vector<CheckOutcome>& baseline,
                                             const std::vector<Check>& checks) const {
  constexpr std::string_view kMissing =
      "|No module named|ImportError|cannot find|annot find module"
      "|No such file|not found|no such file|undefined|";
  const std::string name(base_name(path));
  const std::string stem = name.substr(0, name.find('.'));
  const bool is_python = name.ends_with(".py");
  const bool is_module =
      is_python && (path.find('/') == path.npos || is_listed("|src|lib|", folder_name(path)));
  if (!is_module && !name.ends_with(".sh") && name.find('.') != name.npos) return false;
  const std::string includes = is_python ? "|import " + stem + "|from " + stem + "|"
                                         : std::string("|. |source |-f |-e |-x |");
  const auto is_whole = [&](const CheckOutcome& outcome) {
    return !outcome.output.empty() && !has_any(outcome.output, kMissing);
  };
  if (baseline.empty() || !std::ranges::all_of(baseline, is_whole)) return false;
  PEDRO_TRY(const std::vector<std::string> users,
            CommitFiles(repository_.git()).naming(base_, stem));
  const auto includes_it = [&](std::string_view line) {
    return has_whole_words(line, is_python ? stem : name) && has_any(line, includes);
  };
  for (const std::string& user : check_files(users, checks, base_text_, links_)) {
    const std::string text = base_text_(user);
    if (std::ranges::any_of(split_lines(text), includes_it)) return true;
  }
  return false;
}

// Sets `check_files`. Returns the first other file in which tests were changed or removed, or "".
Result<std::string> ChangedChecks::find(BuildResult& result,
                                        const std::vector<Check>& checks) const {
  const bool runs_doctest = names_doctest(checks, base_text_);
  const bool is_plugin = is_runner_plugin(base_text_);
  std::set<std::string> paths = result.earlier_files;
  paths.insert(result.delivery.files.begin(), result.delivery.files.end());
  const std::vector<std::string> changed(paths.begin(), paths.end());
  PEDRO_TRY(result.check_files, files_of(changed, checks));
  std::set<std::string> sources;  // new ones
  std::ranges::copy_if(changed, std::inserter(sources, sources.end()), [&](const auto& path) {
    return !paths_.contains(path) && !result.check_files.contains(path) &&
           language_of(path) != Language::kUnknown;
  });
  for (const std::string& path : sources) {
    const bool is_moved = std::ranges::any_of(changed, [&](const std::string& other) {
      return base_name(other) == base_name(path) && paths_.contains(other);
    });
    if (is_moved) continue;
    PEDRO_TRY(const bool is_optional, is_optional_part(path, result.baseline, checks));
    if (is_optional) result.check_files.insert(path);
  }
  std::erase_if(result.check_files, [&](const std::string& path) {
    return only_adds_sources(path, base_text_(path), text_at(result.delivery.commit, path),
                             sources);
  });
  for (const std::string& path : changed) {
    if (result.check_files.contains(path)) continue;
    const std::string before = base_text_(path);
    const std::string now = text_at(result.delivery.commit, path);
    const bool changes_tests =
        is_test_program(path, before) && !keeps_test_program(path, before, now);
    if (changes_tests || newly_uses_runner(path, before, now) ||
        newly_names_tests(path, before, now, paths_) || replaces_assertions(path, before, now) ||
        (!is_plugin && is_test_helper(path, before))) {
      result.check_files.insert(path);
      continue;
    }
    const bool runs_examples = runs_doctest || !path.ends_with(".py");
    const auto tests = runs_examples ? InlineTests::kAll : InlineTests::kWithoutExamples;
    if (!keeps_inline_tests(path, before, now, tests)) return path;
  }
  return std::string();
}

// Returns true if the tests of the base fail without new ones that no source uses.
bool ChangedChecks::fails_without_new_tests(const BuildResult& result) const {
  const auto has_failed = [](const CheckOutcome& outcome) {
    return !outcome.passed && outcome.tests.ran > 0;
  };
  const auto is_old = [this](const std::string& path) { return paths_.contains(path); };
  if (std::ranges::none_of(result.base_checks, has_failed) ||
      std::ranges::any_of(result.check_files, is_old)) {
    return false;
  }
  std::string sources;
  for (const std::string& path : result.delivery.files) {
    if (!result.check_files.contains(path)) sources += text_at(result.delivery.commit, path) + "\n";
  }
  return std::ranges::none_of(result.check_files,
                              [&](const std::string& path) { return names_source(sources, path); });
}

}  // namespace pedro
