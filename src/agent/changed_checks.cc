#include "agent/changed_checks.h"

#include <algorithm>
#include <iterator>

#include "agent/asked_changes.h"
#include "agent/check_data.h"
#include "agent/check_names.h"
#include "agent/check_programs.h"
#include "agent/kept_tests.h"
#include "agent/runner_use.h"
#include "agent/script_words.h"
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

// Returns the name of a file without its extensions.
std::string file_stem(const std::string& path) {
  const std::string_view name = base_name(path);
  return std::string(name.substr(0, name.find('.')));
}

// Returns true if a text contains the name of a source file, with or without its extension.
bool names_source(std::string_view text, const std::string& path) {
  constexpr std::size_t kShortestStem = 3;  // bytes; shorter names occur in any text
  const std::string_view name = base_name(path);
  const std::string stem = file_stem(path);
  const bool is_program = stem == name || has_program_extension(path);
  return is_program && (has_whole_words(text, name) ||
                        (stem.size() >= kShortestStem && has_whole_words(text, stem)));
}

// Returns true if commands compare the output of a program that they build or start by a tool.
bool compares_builds(std::string_view commands) {
  constexpr std::string_view kTools =
      "|go|cargo|node|npm|npx|python|python3|java|dotnet|ruby|php|perl|deno|bun|make|";
  return std::ranges::any_of(
      script_words(with_values(commands)).compared,
      [](const std::string& word) { return word.starts_with("./") || is_listed(kTools, word); });
}

// Returns true if a task names a data file. Modules and new files may be named by their stem, new
// ones by their folder.
bool task_names_data(std::string_view task, const std::string& path, bool is_new) {
  constexpr std::size_t kShortestStem = 3;  // bytes
  const std::string stem = file_stem(path);
  const bool has_stem = stem.size() >= kShortestStem && has_whole_words(task, stem);
  return has_whole_words(task, base_name(path)) ||
         (has_stem && (is_new || has_program_extension(path))) ||
         (is_new && has_whole_words(task, base_name(folder_name(path))));
}

// Returns true for a file of values: no program, or a module without functions.
bool is_data(std::string_view path, std::string_view text) {
  constexpr std::string_view kFunctions =
      "|def |function|=>|lambda|func |fn |class |sub |(){|() {|#!|import |require|include|";
  const bool is_module = language_of(path) != Language::kUnknown && !text.empty();
  return is_module ? !has_any(text, kFunctions)
                   : !has_program_extension(path) && !text.starts_with("#!");
}

// Returns how exactly a text names data. Programs name a module by importing it.
Naming naming_in(const std::string& user, std::string_view text, const std::string& path,
                 bool are_commands) {
  if (!has_program_extension(path)) return naming_of(text, path, are_commands);
  return imports_name(user, text, file_stem(path)) ? Naming::kName : Naming::kNone;
}

}  // namespace

Result<std::unique_ptr<const ChangedChecks>> ChangedChecks::open(const Repository& repository,
                                                                 const std::string& base,
                                                                 const std::string& task) {
  std::unique_ptr<ChangedChecks> checks(new ChangedChecks(repository, base, task));
  PEDRO_TRY(checks->paths_, CommitFiles(repository.git()).paths_in(base, {}));
  PEDRO_TRY(checks->links_, CommitFiles(repository.git()).links(base));
  checks->base_text_ = [self = checks.get()](const std::string& path) -> std::string {
    if (!self->paths_.contains(path)) return "";
    const auto [known, is_new] = self->texts_.try_emplace(path);
    if (is_new) known->second = self->text_at(self->base_, path);
    return known->second;
  };
  return std::unique_ptr<const ChangedChecks>(std::move(checks));
}

std::set<std::string> ChangedChecks::programs_of(const std::vector<Check>& checks) const {
  std::vector<std::string> programs;
  std::ranges::copy_if(paths_, std::back_inserter(programs), has_program_extension);
  return check_files(programs, checks, base_text_, links_, paths_);
}

// Returns "" for a missing file.
std::string ChangedChecks::text_at(const std::string& commit, const std::string& path) const {
  auto text = CommitFiles(repository_.git()).text_at(commit, path);
  return text ? *std::move(text) : "";
}

// Returns the files of the base with a word, and reads them. At most 200.
Result<std::vector<std::string>> ChangedChecks::naming(const std::string& word) const {
  const CommitFiles files(repository_.git());
  const auto known = users_.find(word);
  if (known != users_.end()) return known->second;
  PEDRO_TRY(auto paths, files.naming(base_, word));
  std::set<std::string> unread;
  for (const std::string& path : paths) {
    if (!texts_.contains(path)) unread.insert(path);
  }
  PEDRO_TRY(auto texts, files.texts_at(base_, unread));
  texts_.merge(std::move(texts));
  return users_[word] = std::move(paths);
}

// Returns the files of the base that may name a data file, its folders or its ending.
Result<std::set<std::string>> ChangedChecks::users_of(const std::string& path) const {
  std::vector<std::string> words = {std::string(base_name(path))};
  if (has_program_extension(path)) words.push_back(file_stem(path));
  for (const std::string_view folder : split(folder_name(path), '/')) words.emplace_back(folder);
  const std::string_view ending = extension_of(base_name(path));
  if (!ending.empty()) words.emplace_back(ending.substr(1));
  std::set<std::string> users;
  for (const std::string& word : words) {
    if (word.empty()) continue;
    PEDRO_TRY(const auto named, naming(word));
    users.insert(named.begin(), named.end());
  }
  users.erase(path);
  return users;
}

// Returns true for a file of values that belongs to the checks: an expected output, or a test's
// cases. Checks of a program name it, its folder or its ending more exactly than sources do.
// The task does not name it.
Result<bool> ChangedChecks::is_data_of_checks(const std::string& path, const std::string& now,
                                              const std::vector<Check>& checks) const {
  const bool is_new = !paths_.contains(path);
  if (paths_.size() > kMaxSources || task_names_data(task_, path, is_new)) return false;
  PEDRO_TRY(const std::set<std::string> found, users_of(path));
  const std::vector<std::string> users(found.begin(), found.end());
  const std::set<std::string> of_checks = check_files(users, checks, base_text_, links_, paths_);
  Naming by_checks = Naming::kNone;
  Naming by_sources = Naming::kNone;
  std::string texts;  // of the checks that name it
  bool has_tests = false;
  const auto add_check = [&](const std::string& user, const std::string& text, bool are_commands) {
    const Naming naming = naming_in(user, text, path, are_commands);
    if (naming == Naming::kNone) return;
    by_checks = std::max(by_checks, naming);
    texts += text + "\n";
    has_tests = has_tests || (are_commands && compares_builds(text)) || tests_own_package(user);
  };
  for (const Check& check : checks) add_check("", check.command, true);
  for (const std::string& user : users) {
    const std::string text = base_text_(user);
    if (of_checks.contains(user)) {
      add_check(user, text, language_of(user) == Language::kUnknown);
    } else if (has_program_extension(user) || text.starts_with("#!")) {
      by_sources = std::max(by_sources, naming_in(user, text, path, false));
    }
  }
  if (by_checks <= by_sources) return false;
  const auto names_product = [&](std::string_view text) {
    return std::ranges::any_of(paths_, [&](const std::string& source) {
      return source != path && !of_checks.contains(source) && !is_test_path(source) &&
             names_source(text, source);
    });
  };
  if (!has_tests && !names_product(texts)) return false;
  const bool is_input = !is_new && only_feeds_program(texts, base_name(path), names_product);
  return !is_input || !is_stated_edit(base_text_(path), now, task_);
}

// Returns true for a test beside the sources of its package.
bool ChangedChecks::tests_own_package(const std::string& test) const {
  if (!is_test_path(test) || language_of(test) == Language::kUnknown) return false;
  return std::ranges::any_of(paths_, [&](const std::string& source) {
    return folder_name(source) == folder_name(test) && !is_test_path(source) &&
           language_of(source) == language_of(test);
  });
}

// Returns the programs of `paths` that are the product's, with names as of tests: a command "test",
// a "JobSpec". Tests or sources load them. They have no words of tests.
Result<std::set<std::string>> ChangedChecks::products_of(
    const std::vector<std::string>& paths) const {
  constexpr std::string_view kFolders = "|qa|spec|specs|t|test|tests|e2e|";
  std::set<std::string> products;
  for (const std::string& path : paths) {
    if (!is_test_path(path) || language_of(path) == Language::kUnknown || !paths_.contains(path)) {
      continue;
    }
    std::string folder(folder_name(path));  // the first one of tests, or its own
    for (std::size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
      if (!is_test_path(path.substr(0, end) + "/a")) continue;
      folder = path.substr(0, end);
      break;
    }
    const bool is_test_folder = is_test_path(folder + "/a");
    if (is_test_folder && !is_listed(kFolders, to_lower(base_name(folder)))) continue;
    if (has_tests_in(folder, is_test_folder)) continue;
    PEDRO_TRY(const bool loaded, is_loaded(path));
    if (loaded) products.insert(path);
  }
  return products;
}

// Returns true if a folder has a program with the words of tests.
bool ChangedChecks::has_tests_in(const std::string& folder, bool with_folders) const {
  constexpr int kMost = 20;  // larger folders count as tests
  int programs = 0;
  return std::ranges::any_of(paths_, [&](const std::string& path) {
    const bool is_inside =
        with_folders ? path.starts_with(folder + "/") : folder_name(path) == folder;
    if (!is_inside || !has_program_extension(path)) return false;
    return ++programs > kMost || has_test_words(base_text_(path));
  });
}

// Returns true if a source loads a program, or a test that loads nothing else of the product.
Result<bool> ChangedChecks::is_loaded(const std::string& path) const {
  const std::string stem = file_stem(path);
  PEDRO_TRY(const std::set<std::string> users, users_of(path));
  return std::ranges::any_of(users, [&](const std::string& user) {
    if (language_of(user) == Language::kUnknown) return false;
    const std::string text = base_text_(user);
    if (!is_test_path(user)) {
      return imports_name(user, text, stem) || naming_of(text, path, false) == Naming::kFolder;
    }
    return has_test_words(text) && imports_name(user, text, stem) &&
           std::ranges::none_of(paths_, [&](const std::string& other) {
             return other != path && !is_test_path(other) && names_source(text, other);
           });
  });
}

// Returns the files that are tests, define the checks, or are their data.
Result<std::set<std::string>> ChangedChecks::files_of(const std::vector<std::string>& paths,
                                                      const std::string& commit,
                                                      const std::vector<Check>& checks) const {
  PEDRO_TRY(const auto products, products_of(paths));
  std::set<std::string> found = check_files(paths, checks, base_text_, links_, paths_, products);
  int asked = 0;
  for (const std::string& path : paths) {
    if (found.contains(path) || !is_data(path, base_text_(path))) continue;
    bool is_of_checks = ++asked > kMaxDataFiles;
    if (!is_of_checks) {
      PEDRO_TRY(is_of_checks, is_data_of_checks(path, text_at(commit, path), checks));
    }
    if (is_of_checks) found.insert(path);
  }
  return found;
}

// Returns true for a new file with code from another file that failed checks search or lint. They
// do not cover the new one, and the task does not name its folder.
Result<bool> ChangedChecks::leaves_search(const std::string& path, const BuildResult& result,
                                          const std::vector<Check>& checks) const {
  const std::string_view folder = base_name(folder_name(path));
  if (all_passed(result.baseline) || names_file(task_, path) || has_whole_words(task_, folder)) {
    return false;
  }
  const std::string text = text_at(result.delivery.commit, path);
  for (const std::string& old : result.delivery.files) {
    const bool is_moved = paths_.contains(old) && has_program_extension(old) &&
                          moves_code(base_text_(old), text_at(result.delivery.commit, old), text);
    if (!is_moved) continue;
    std::string commands;
    for (const Check& check : checks) commands += check.command + "\n";
    PEDRO_TRY(const std::set<std::string> users, users_of(old));
    const std::vector<std::string> paths(users.begin(), users.end());
    for (const std::string& user : check_files(paths, checks, base_text_, links_, paths_)) {
      if (language_of(user) == Language::kUnknown) commands += base_text_(user) + "\n";
    }
    if (searches(commands, old) && !searches(commands, path)) return true;
  }
  return false;
}

// Returns the folders that have new files only.
std::set<std::string> ChangedChecks::new_folders(const std::vector<std::string>& changed) const {
  std::set<std::string> folders;
  for (const std::string& path : changed) {
    for (std::size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
      const std::string folder = path.substr(0, end + 1);
      const auto first = paths_.lower_bound(folder);
      if (first == paths_.end() || !first->starts_with(folder)) folders.insert(path.substr(0, end));
    }
  }
  return folders;
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
  const std::string stem = file_stem(path);
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
  PEDRO_TRY(const std::vector<std::string> users, naming(stem));
  const auto includes_it = [&](std::string_view line) {
    return has_whole_words(line, is_python ? stem : name) && has_any(line, includes);
  };
  for (const std::string& user : check_files(users, checks, base_text_, links_, paths_)) {
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
  const std::string& commit = result.delivery.commit;
  PEDRO_TRY(result.check_files, files_of(changed, commit, checks));
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
    PEDRO_TRY(const bool leaves, leaves_search(path, result, checks));
    if (is_optional || leaves) result.check_files.insert(path);
  }
  PEDRO_TRY(const auto there, CommitFiles(repository_.git()).paths_in(commit, paths));
  std::set<std::string> deleted;
  std::set<std::string> added;
  for (const std::string& path : changed) {
    if (!there.contains(path)) deleted.insert(path);
    if (!paths_.contains(path)) added.insert(path);
  }
  const Moves moves(task_, deleted, added);
  const std::set<std::string> folders = new_folders(changed);
  const auto text_before = [&](const std::string& path) {
    const std::string from = paths_.contains(path) ? path : moves.other_path(path);
    return moves.unified(base_text_(from));
  };
  const auto text_now = [&](const std::string& path) {
    const std::string to = there.contains(path) ? path : moves.other_path(path);
    return to.empty() ? "" : moves.unified(text_at(commit, to));
  };
  std::set<std::string> kept;
  std::ranges::copy_if(result.check_files, std::inserter(kept, kept.end()), [&](const auto& path) {
    const std::string before = text_before(path);
    const std::string now = text_now(path);
    return (!moves.empty() && !before.empty() && before == now) ||
           only_adds_sources(path, before, without_new_sources(before, now, sources), sources) ||
           only_asked_lines(path, before, now, task_, folders);
  });
  for (const std::string& path : kept) result.check_files.erase(path);
  for (const std::string& path : changed) {
    const bool is_moved = !paths_.contains(path) && !moves.other_path(path).empty();
    if (is_moved || kept.contains(path) || result.check_files.contains(path)) continue;
    const std::string before = text_before(path);
    const std::string now = text_now(path);
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
