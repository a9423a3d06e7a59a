#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace pedro {

/// Returns the folders that git reads for the repository at `git`, which is a `.git` or a bare
/// repository. These are the folder itself, its common folder, and borrowed objects
/// (`objects/info/alternates`, 5 levels deep). All are canonical.
std::vector<std::string> git_folders(const std::string& git);

/// Finds repositories below a folder. Later walks do not list unchanged folders again. A folder's
/// ctime changes with its entries, and no program can set it. One thread.
class RepositoryWalk {
 public:
  /// Returns the places below `root` where git finds a repository, sorted: bare repositories, and
  /// each `.git` except the root's. Adds pipes called `.gitignore` and the like: git waits for
  /// them. Follows no links. `now_s`: seconds since 1970; 0: no later walk.
  std::vector<std::string> find(const std::string& root, long long now_s);

 private:
  /// A folder without `.git`, `HEAD` and such pipes.
  struct Folder {
    std::uint64_t device;
    std::uint64_t inode;
    long long changed_s;
    long long changed_ns;
    std::vector<std::string> folders;  // names of its subfolders

    bool is(const Folder& other) const {
      return device == other.device && inode == other.inode && changed_s == other.changed_s &&
             changed_ns == other.changed_ns;
    }
  };
  std::map<std::string, Folder> folders_;
};

/// Returns true if `path` is in a folder of builds, package managers or temporary files below
/// `root`. Commands remove and create repositories there, for example below `build/_deps`.
bool is_product(const std::string& path, const std::string& root);

/// The repositories in a work tree before a job's first command. When it is destroyed, it disables
/// those that commands created: git would run programs that their configuration names. One thread.
class RepositoryWatch {
 public:
  /// `root` is canonical. `now_s`: seconds since 1970. `report` receives a sentence for each new
  /// repository, and a last one for their excess number. If it is empty, new repositories stay.
  RepositoryWatch(std::string root, long long now_s,
                  std::function<void(const std::string&)> report);
  RepositoryWatch(const RepositoryWatch&) = delete;
  RepositoryWatch& operator=(const RepositoryWatch&) = delete;
  /// Renames each new `.git`, and makes git refuse the rest. Removes new pipes. Only reports
  /// is_product(). Skips a `.git` that leads into a known repository, which commands cannot change.
  ~RepositoryWatch();

  /// Returns RepositoryWalk::find() before the first command.
  const std::vector<std::string>& known() const { return known_; }

 private:
  std::string handle(const std::string& path) const;

  std::string root_;
  RepositoryWalk walk_;
  std::vector<std::string> known_;
  std::vector<std::string> known_folders_;  // git_folders() of the root and of `known_`
  std::function<void(const std::string&)> report_;
};

}  // namespace pedro
