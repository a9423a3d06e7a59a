#pragma once

#include <string>
#include <vector>

#include "sys/descriptor.h"

namespace pedro {

/// Returns the absolute paths that no command in the work tree at `root` may change. These are
/// `.git` and the folders that it leads to, pedrocli's folder and settings, and `more`. They may be
/// missing. Includes the links on the way to these, and the targets of links in repositories.
std::vector<std::string> protected_paths(const std::string& root,
                                         const std::vector<std::string>& more);

/// Returns the folders between `writable` and `paths`, outermost first. A command that can move
/// such a folder can replace its contents.
std::vector<std::string> folders_between(const std::vector<std::string>& writable,
                                         const std::vector<std::string>& paths);

/// Returns the links on the way to the absolute `path`, and last the place that they lead to. It
/// may be missing.
std::vector<std::string> places_on_way(const std::string& path);

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
