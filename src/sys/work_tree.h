#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// A file or folder that cannot be used because of the layout of the repository.
struct UnusablePath {
  std::string reason;        ///< for the model, after the path: "is in the submodule …"
  bool may_be_read = false;  ///< only changes are refused
};

/// The folder that an agent works in; the only code that decides which paths are inside it. Borrows
/// the file system. Thread-safe after protect() and refuse().
class WorkTree {
 public:
  /// Opens `root`, which must exist, under its canonical path. Errors: kUsage.
  static Result<WorkTree> open(FileSystem& files, const std::string& root);

  const std::string& root() const { return root_; }
  FileSystem& files() const { return *files_; }

  /// Returns the absolute path of `path`, relative to the root or inside it. It may be missing.
  /// Errors (kRefused, with a message for the model): empty; longer than 4096 bytes; contains NUL;
  /// ".." or a link leads outside; anything in ".git".
  Result<std::string> resolve(std::string_view path) const;

  /// The same for a path that will be written, moved or removed. Also refuses pedrocli's own
  /// settings (is_own_settings()), by name, through a link or as a link's target, and paths of
  /// protect().
  Result<std::string> resolve_to_change(std::string_view path) const;

  /// Makes resolve_to_change() also refuse these absolute paths, everything below them, and the
  /// folders that contain them.
  void protect(std::vector<std::string> paths) { protected_ = std::move(paths); }

  /// Makes resolve_to_change() also refuse these paths, relative to the root, and everything below
  /// them. So does resolve(), unless they may be read.
  void refuse(std::map<std::string, UnusablePath> paths) { unusable_ = std::move(paths); }

  /// Returns `absolute` in the form for the model: relative to the root, "." for the root itself.
  std::string display(std::string_view absolute) const;

  /// Returns `text` with all occurrences of the root's path made relative: shorter, and independent
  /// of the machine.
  std::string without_root(std::string_view text) const;

 private:
  WorkTree(FileSystem& files, std::string root) : files_(&files), root_(std::move(root)) {}

  Status check_usable(std::string_view relative, bool changes) const;

  FileSystem* files_;
  std::string root_;
  std::map<std::string, UnusablePath> unusable_;
  std::vector<std::string> protected_;
};

/// Returns true if `relative` to a work tree's root is pedrocli's folder or settings, or below
/// them. Only the user may change these. Ignores case, because some file systems do.
bool is_own_settings(std::string_view relative);

}  // namespace pedro
