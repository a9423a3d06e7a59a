#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "agent/build_result.h"
#include "agent/check_files.h"
#include "base/result.h"
#include "git/repository.h"
#include "tools/checks.h"

namespace pedro {

/// Finds the files of a change that belong to the checks: tests, definitions and their data. Files
/// that replace parts of them belong to them too. Borrows the arguments of open(). Errors: git's.
///
///     PEDRO_TRY(const auto changed, ChangedChecks::open(repository, base, task));
///     PEDRO_TRY(const std::string inside, changed->find(result, checks));
class ChangedChecks {
 public:
  /// Reads the list of files of the commit `base`. `task` is the text of the task.
  static Result<std::unique_ptr<const ChangedChecks>> open(const Repository& repository,
                                                           const std::string& base,
                                                           const std::string& task);

  /// Returns the files of the base.
  const std::set<std::string>& paths() const { return paths_; }
  /// Returns the text of a file of the base, "" if it is missing.
  const TextOfBase& base_text() const { return base_text_; }

  /// Returns the programs of the base that are tests or define the checks. O(files of the base).
  std::set<std::string> programs_of(const std::vector<Check>& checks) const;
  /// Returns the files of `paths` that are tests, define the checks, or are their data. `commit` is
  /// the one with the work.
  Result<std::set<std::string>> files_of(const std::vector<std::string>& paths,
                                         const std::string& commit,
                                         const std::vector<Check>& checks) const;
  /// Sets `check_files` of a delivered result. Returns the first other file in which tests were
  /// changed or removed, or "".
  Result<std::string> find(BuildResult& result, const std::vector<Check>& checks) const;
  /// Returns true if the tests of the base fail without new ones that no source uses.
  bool fails_without_new_tests(const BuildResult& result) const;

 private:
  ChangedChecks(const Repository& repository, const std::string& base, const std::string& task)
      : repository_(repository), base_(base), task_(task) {}

  std::string text_at(const std::string& commit, const std::string& path) const;
  Result<std::vector<std::string>> naming(const std::string& word) const;
  Result<std::set<std::string>> users_of(const std::string& path) const;
  Result<bool> is_data_of_checks(const std::string& path, const std::string& now,
                                 const std::vector<Check>& checks) const;
  bool tests_own_package(const std::string& test) const;
  Result<std::set<std::string>> products_of(const std::vector<std::string>& paths) const;
  bool has_tests_in(const std::string& folder, bool with_folders) const;
  Result<bool> is_loaded(const std::string& path) const;
  Result<bool> leaves_search(const std::string& path, const BuildResult& result,
                             const std::vector<Check>& checks) const;
  std::set<std::string> new_folders(const std::vector<std::string>& changed) const;
  Result<bool> is_optional_part(const std::string& path, const std::vector<CheckOutcome>& baseline,
                                const std::vector<Check>& checks) const;

  const Repository& repository_;
  const std::string& base_;
  const std::string& task_;
  std::set<std::string> paths_;
  LinksOfBase links_;
  TextOfBase base_text_;                                           // borrows this object
  mutable std::map<std::string, std::string> texts_;               // of the base, by path
  mutable std::map<std::string, std::vector<std::string>> users_;  // files by a word in them
};

}  // namespace pedro
