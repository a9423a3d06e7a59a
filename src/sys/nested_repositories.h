#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pedro {

/// The repositories that lie inside a work tree, below its own: submodules, and what a command may
/// have made. git runs programs that their configuration names, also from the tree's own `git
/// status` where one is in the index. They are not held, for projects make and remove such folders;
/// what is new or changed is told.
///
/// Looks at the nearest 2,000 folders, and lists only those again that have changed since the last
/// time. Links are not followed.
class NestedRepositories {
 public:
  explicit NestedRepositories(std::string root) : root_{.path = std::move(root)} {}

  /// Those whose `.git`, configuration or hooks are new or changed since the last look; absolute
  /// paths of the folders that the `.git` are in. The first look says nothing.
  std::vector<std::string> changed();
  /// Makes sure that there was a first look.
  void look_once() {
    if (!looked_) (void)changed();
  }

 private:
  /// What tells one state of a file from another; "" where it is missing.
  using Mark = std::string;
  struct Folder {
    std::string path;
    Mark listed = {};  ///< of when it was listed; "": it has to be listed again
    bool has_git = false;
    std::vector<Folder> folders = {};
  };

  static Mark mark_of(const std::string& path, bool times);
  static Mark mark_of_repository(const std::string& git);
  static void list_again(Folder& folder);

  Folder root_;
  std::map<std::string, Mark> known_;
  bool looked_ = false;
};

}  // namespace pedro
