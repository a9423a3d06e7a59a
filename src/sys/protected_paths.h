#pragma once

#include <string>
#include <vector>

#include "sys/descriptor.h"

namespace pedro {

/// Returns the absolute paths in the work tree at `root` that no command may change: `.git`,
/// pedrocli's folder and settings, and `more`. They may be missing. Includes the targets of links
/// among these and in the repository.
std::vector<std::string> protected_paths(const std::string& root,
                                         const std::vector<std::string>& more);

/// Returns the folders between `writable` and `paths`, outermost first. A command that can move
/// such a folder can replace its contents.
std::vector<std::string> folders_between(const std::vector<std::string>& writable,
                                         const std::vector<std::string>& paths);

/// Returns the folders outside of the work tree at `root` that its git reads: the repository of a
/// linked work tree or submodule, and borrowed objects (`objects/info/alternates`, 5 levels deep).
std::vector<std::string> git_folders_outside(const std::string& root);

/// Empty files at missing paths, so that a read-only mount can cover them. Mode 01400 distinguishes
/// them from a user's file. A lock distinguishes them from those of a killed process.
class Placeholders {
 public:
  /// Creates the files and their missing folders. Skips paths that cannot be created.
  explicit Placeholders(const std::vector<std::string>& missing);
  Placeholders(const Placeholders&) = delete;
  Placeholders& operator=(const Placeholders&) = delete;
  /// Removes files that are still empty, and changes the mode of others to 0644.
  ~Placeholders();

  const std::vector<std::string>& files() const { return files_; }
  /// Returns the folders created for them, outermost first. Commands must not move them.
  const std::vector<std::string>& folders() const { return folders_; }

 private:
  std::vector<std::string> files_;
  std::vector<Descriptor> locks_;     // of the files
  std::vector<std::string> folders_;  // created for them, outermost first
};

/// Removes the placeholders that a killed process left at `paths`.
void remove_left_placeholders(const std::vector<std::string>& paths);

}  // namespace pedro
