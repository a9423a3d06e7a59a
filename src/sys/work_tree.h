#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// The folder an agent works in, and the one place that says which paths lie inside it. Borrows
/// the file system; thread-safe.
class WorkTree {
 public:
  /// `root` must exist; it is made canonical.
  static Result<WorkTree> open(FileSystem& files, const std::string& root);

  const std::string& root() const { return root_; }
  FileSystem& files() const { return *files_; }

  /// The absolute path of `path`, which is taken below the root (an absolute path must lie in it).
  /// It need not exist. Refused (kRefused, a message for the model): empty, longer than 4096 bytes,
  /// with a NUL, a ".." that leads out, a link on the way that leads out, anything in ".git".
  Result<std::string> resolve(std::string_view path) const;

  /// The same for a path that is to be written, moved or removed. Refused as well: what configures
  /// pedrocli itself (is_own_settings()), under its own name, through a link or as a link's target.
  Result<std::string> resolve_to_change(std::string_view path) const;

  /// Makes resolve_to_change() also refuse these absolute paths and everything below them.
  void protect(std::vector<std::string> paths) { protected_ = std::move(paths); }

  /// `absolute` as the model should see it: relative to the root, "." for the root itself.
  std::string display(std::string_view absolute) const;

  /// `text` with every mention of the root's path made relative: shorter, and the same on every
  /// machine.
  std::string without_root(std::string_view text) const;

 private:
  WorkTree(FileSystem& files, std::string root) : files_(&files), root_(std::move(root)) {}

  FileSystem* files_;
  std::string root_;
  std::vector<std::string> protected_;
};

/// Whether `relative`, below a work tree's root, is pedrocli's folder or settings, or lies in them:
/// what only the user may change. In lower case, since some file systems ignore case.
bool is_own_settings(std::string_view relative);

}  // namespace pedro
