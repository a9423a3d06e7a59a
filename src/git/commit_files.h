#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/changed_file.h"
#include "git/git_runner.h"

namespace pedro {

/// The files of commits. Commits are ids or names of revisions; paths are relative to the root.
/// Borrows the runner; one thread. Errors: those of GitRunner.
///
///     const CommitFiles files(repository.git());
///     PEDRO_TRY(const std::set<std::string> there, files.paths_in("HEAD", {"a.txt", "b.txt"}));
class CommitFiles {
 public:
  explicit CommitFiles(const GitRunner& git) : git_(git) {}

  /// Returns the contents of a file in `commit`, made printable.
  Result<std::string> text_at(const std::string& commit, const std::string& path) const;

  /// Returns the contents of files by path, with three processes for all. Omits files that `commit`
  /// lacks, and those that exceed 16 MiB in all: text_at() reads them.
  Result<std::map<std::string, std::string>> texts_at(const std::string& commit,
                                                      const std::set<std::string>& paths) const;

  /// Returns the files of `paths` that `commit` has; all its files if `paths` is empty.
  Result<std::set<std::string>> paths_in(const std::string& commit,
                                         const std::set<std::string>& paths) const;
  /// Returns the files of `paths` that `commit` lacks. Sorted.
  Result<std::vector<std::string>> not_in(const std::string& commit,
                                          const std::set<std::string>& paths) const;

  /// Returns the files of `commit` that contain `word` as a whole word. At most 200, sorted.
  Result<std::vector<std::string>> naming(const std::string& commit, const std::string& word) const;

  /// Returns the submodules whose commits differ between `from` and `to`, or that only one of them
  /// has.
  Result<std::vector<std::string>> moved_submodules(const std::string& from,
                                                    const std::string& to) const;
  /// Returns the differences between two commits without submodules. `content` is not set.
  Result<std::vector<ChangedFile>> difference(const std::string& from, const std::string& to) const;
  /// Returns the files that differ between any two neighbours of `commits`.
  Result<std::set<std::string>> changed_between(const std::vector<std::string>& commits) const;
  /// Returns the tree of `to`, but with `paths` as in `from`; deletes those that `from` lacks.
  /// `index` is the path of a temporary index.
  Result<std::string> with_paths_of(const std::string& from, const std::vector<ChangedFile>& paths,
                                    const std::string& to, const std::string& index) const;

  /// Returns the submodules of a commit with their commits, by path.
  Result<std::map<std::string, std::string>> submodules(const std::string& commit) const;
  /// Returns the links of a commit with their targets, by path; at most the first 500.
  Result<std::map<std::string, std::string>> links(const std::string& commit) const;
  /// Writes these paths (all if empty) as in a checkout of `commit`, with git attributes, below
  /// `folder`, which is created. Uses the path `folder` + ".index" temporarily.
  Status check_out_below(const std::string& folder, const std::string& commit,
                         const std::set<std::string>& paths) const;

  /// Paths at which a commit differs from the work tree.
  struct Differences {
    std::set<std::string> otherwise;
    std::set<std::string> line_ends;  ///< paths that differ only in line ends
  };
  /// Compares `commit`, made of `files` on `base`, with the work tree. They can differ: attributes
  /// may convert content, git skips some names, and commands may have replaced git's objects. Above
  /// 64 MiB only sizes are compared.
  Result<Differences> compare(const std::string& commit, const std::string& base,
                              const std::vector<ChangedFile>& files) const;

 private:
  struct Entry {
    std::string mode;
    std::string id;
    std::string path;
    std::string line;  // of `git ls-tree`
  };

  // Returns the entries of `paths`, of all files if it is empty.
  Result<std::vector<Entry>> list(const std::string& commit,
                                  const std::set<std::string>& paths) const;
  Status compare_files(const std::string& commit, const std::set<std::string>& paths,
                       Differences& differences) const;

  const GitRunner& git_;
};

}  // namespace pedro
