#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace pedro {

/// Files and folders that commands must not change, and what they were: what a command did to them
/// nevertheless is undone. Remembers bytes, modes and links; folders with all that is in them, up
/// to 16 MB, and the nearest 2,000 entries: not all that lies beyond can be put back. Links on the
/// way to a path are not followed: behind one there is nothing, and it gives way to what is put
/// back.
class GuardedPaths {
 public:
  GuardedPaths() = default;
  explicit GuardedPaths(std::vector<std::string> paths) : paths_(std::move(paths)) {}

  /// These from now on.
  void watch(std::vector<std::string> paths) { paths_ = std::move(paths); }

  /// Remembers what there is now. What has not changed since the last time is not read again.
  void remember();

  /// Puts back what has changed since then; a sentence for each path. A change is seen by what the
  /// system notes of every file (inode, size, times), which no program can set. What was `held` is
  /// not looked at: nothing confined can have changed it, so if it has changed, its owner did that.
  std::vector<std::string> put_back(const std::set<std::string>& held);

  /// Of what is remembered, what was missing ("") and what was a link (what it says).
  std::map<std::string, std::string> missing_and_links() const;

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
  static bool restore(const Entries& before, const Entries& now);
  /// Gives folders that were there before their owner's rights again; whether one had lost some.
  static bool open_folders(const Entries& before, const Entries& now);
  /// The same as restore() with what is behind such folders; `now` is what is there then.
  static bool restore_all(const std::string& path, const Entries& before, Entries& now);
  static bool make(const std::string& path, const Entry& entry, bool there);

  std::vector<std::string> paths_;
  std::map<std::string, Entries> remembered_;
};

/// What commands must not change in the work tree at `root`: git's configuration, hooks and what
/// leads git elsewhere, also of submodules (the nearest 200), pedrocli's own folder and settings.
/// Whether they are there or not; where one is a link, also what it leads to. Absolute.
std::vector<std::string> guarded_paths_of(const std::string& root);

/// The folders that lead to `guarded` from those of `writable`, without these: what a command could
/// move to have something else in the place of what is guarded. Each before what lies below it.
std::vector<std::string> folders_between(const std::vector<std::string>& writable,
                                         const std::vector<std::string>& guarded);

/// The folders outside of a work tree in which its repository lies.
struct GitFolders {
  std::vector<std::string> read;
  std::vector<std::string> write;  ///< those that git has to change, some below one of `read`
};

/// Those of the work tree at `root`, where `.git` is a file that names them (a linked work tree, a
/// submodule); none where it is a folder or missing. What a linked work tree shares with the others
/// is read only but for objects, references and their logs: the rest is the main work tree's own.
GitFolders git_folders_outside(const std::string& root);

}  // namespace pedro
