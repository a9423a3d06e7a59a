#pragma once

#include <functional>
#include <string>
#include <vector>

namespace pedro {

/// Returns the folders that git reads for the repository at `git`, which is a `.git` or a bare
/// repository: the folder itself, its common folder, and borrowed objects
/// (`objects/info/alternates`, 5 levels deep). All are canonical.
std::vector<std::string> git_folders(const std::string& git);

/// Returns the places below `root` where git finds a repository: each `.git` except that of the
/// root, and bare repositories. Adds pipes called `.gitignore` and the like: git waits for them.
/// Follows no links.
std::vector<std::string> repositories_below(const std::string& root);

/// Returns true if `path` is in a folder of builds, package managers or temporary files below
/// `root`. Commands remove and create repositories there, for example below `build/_deps`.
bool is_product(const std::string& path, const std::string& root);

/// Disables repositories that commands created, when it is destroyed: git would run programs that
/// their configuration names. One thread.
class RepositoryWatch {
 public:
  /// `known`: the result of repositories_below() before the first command. `report` receives a
  /// sentence for each new repository, and a last one for their excess number.
  RepositoryWatch(std::string root, std::vector<std::string> known,
                  std::function<void(const std::string&)> report);
  RepositoryWatch(const RepositoryWatch&) = delete;
  RepositoryWatch& operator=(const RepositoryWatch&) = delete;
  /// Renames each new `.git`, and makes git refuse the rest. Removes new pipes. Only reports
  /// is_product(). Skips a `.git` that leads into a known repository, which commands cannot change.
  ~RepositoryWatch();

 private:
  std::string handle(const std::string& path) const;

  std::string root_;
  std::vector<std::string> known_;
  std::vector<std::string> known_folders_;  // git_folders() of the root and of `known_`
  std::function<void(const std::string&)> report_;
};

}  // namespace pedro
