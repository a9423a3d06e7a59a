#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/git_runner.h"
#include "sys/tree_entries.h"

namespace pedro {

/// The parts of a work tree that git does not record: permissions, empty folders and hard links.
/// Folders of builds and package managers (is_product()) and nested repositories do not count.
///
///     const WorkTreeShape before = WorkTreeShape::of(git);
///     message += before.text();  // of a commit, and later
///     WorkTreeShape::parse(message).restore(git, {.written = restored, .known = files});
class WorkTreeShape {
 public:
  /// The extent of restore().
  struct Extent {
    std::set<std::string> written;  ///< files that were written or removed just before
    std::set<std::string> known;    ///< files of the same checkpoint, see CommitFiles::paths_in()
    /// Other entries change only if their last change is not later, in ns since 1970.
    long long until_ns = std::numeric_limits<long long>::max();
  };

  /// Returns the entries that count, see tree_entries().
  static std::vector<TreeEntry> entries(const GitRunner& git);
  /// Returns the shape of the work tree.
  static WorkTreeShape of(const GitRunner& git);
  /// Parses text(), which may be part of another text. Without one, the shape is empty.
  static WorkTreeShape parse(std::string_view text);

  /// Returns true if it has a `.gitattributes` file, only from of().
  bool has_attributes() const { return has_attributes_; }

  /// Removes all parts except permissions.
  void keep_modes() {
    empty_.clear();
    links_.clear();
    keeps_folders_ = true;
  }

  /// Returns a line for each entry with unusual permissions, and for each empty folder and hard
  /// link. Paths are quoted.
  std::string text() const;

  /// Restores the shape, after the files' bytes. Returns the number of changed entries. Ignores
  /// entries that this user may not change. An empty shape changes nothing.
  int restore(const GitRunner& git, const Extent& extent) const;

 private:
  struct Modes {
    std::uint32_t file = 0;
    std::uint32_t program = 0;
    std::uint32_t folder = 0;
  };

  class Restoring;

  const std::uint32_t& usual(const TreeEntry& entry) const;

  Modes usual_;                                 // the most common ones; 0 in an empty shape
  std::map<std::string, std::uint32_t> modes_;  // of other entries
  std::set<std::string> empty_;                 // folders
  std::vector<std::vector<std::string>> links_;
  bool has_attributes_ = false;
  bool keeps_folders_ = false;  // removes no empty folders
};

}  // namespace pedro
