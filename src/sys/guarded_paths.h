#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace pedro {

/// Files and folders that commands must not change, and what they were: what a command did to them
/// nevertheless is undone. Remembers bytes, modes and links; folders with all that is in them, up
/// to 2,000 entries and 16 MB, beyond which a change is noticed but cannot be undone.
class GuardedPaths {
 public:
  explicit GuardedPaths(std::vector<std::string> paths) : paths_(std::move(paths)) {}

  /// Remembers what there is now. What has not changed since the last time is not read again.
  void remember();

  /// Puts back what has changed since then; a sentence for each path. A change is seen by what the
  /// system notes of every file (inode, size, times), which no program can set. With
  /// `existing_were_safe` only what was missing is looked at: nothing confined can have changed the
  /// rest, so if it has changed, its owner did that.
  std::vector<std::string> put_back(bool existing_were_safe);

 private:
  /// What tells one state of a file from another.
  struct Mark {
    unsigned long long device = 0;
    unsigned long long inode = 0;
    unsigned mode = 0;
    long long bytes = 0;
    long long modified_ns = 0;
    long long changed_ns = 0;
    bool operator==(const Mark&) const = default;
  };
  struct Entry {
    Mark mark;
    std::string bytes;  ///< of a file; the target of a link
    bool kept = false;  ///< whether `bytes` are there
  };
  using Entries = std::map<std::string, Entry>;  ///< by path; a folder before what is in it

  static Entries look_at(const std::string& path);
  static void read(Entries& entries, const Entries& before);
  static bool same(const Entries& a, const Entries& b);
  static bool restore(const std::string& path, const Entries& entries);

  std::vector<std::string> paths_;
  std::map<std::string, Entries> remembered_;
};

/// What commands must not change in the work tree at `root`: git's configuration, hooks and what
/// leads git elsewhere, pedrocli's own folder and settings. Whether they are there or not;
/// absolute.
std::vector<std::string> guarded_paths_of(const std::string& root);

/// The folders outside `root` in which its repository lies, where `.git` is a file that names them
/// (a linked work tree, a submodule); empty where it is a folder or missing.
std::vector<std::string> git_folders_outside(const std::string& root);

}  // namespace pedro
