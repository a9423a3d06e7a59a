#pragma once

#include <map>
#include <string>
#include <vector>

namespace pedro {

/// Links among what git writes of a repository: its index and HEAD, references, their logs, and the
/// folders of objects. The git that pedrocli runs itself is not confined, and would write wherever
/// such a link leads; so those that a command has made are removed behind it.
///
/// Looks at the files of each folder and at what lies below its `refs`, `logs` and `info`, 50,000
/// entries at most; links are not followed. One thread.
class GitLinks {
 public:
  /// `folders` are git's own (".git", or of a linked work tree what lies outside of it); one that
  /// is missing, or a link itself, is passed over.
  explicit GitLinks(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  /// What is there before the first command is somebody's own, such as a shared folder of objects.
  void remember_once();

  /// Removes the others, turns back what leads elsewhere now, and says which: a sentence for each.
  std::vector<std::string> remove_new();

 private:
  std::map<std::string, std::string> find() const;  // with what they lead to

  std::vector<std::string> folders_;
  std::map<std::string, std::string> known_;
  bool remembered_ = false;
};

}  // namespace pedro
