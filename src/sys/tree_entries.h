#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

/// A file, folder or link below a folder.
struct TreeEntry {
  std::string path;  ///< relative to the folder
  FileKind kind = FileKind::kFile;
  std::uint32_t mode = 0;    ///< permission bits only (07777)
  std::uint64_t inode = 0;   ///< equal for hard links: all entries are of one file system
  std::uint64_t links = 0;   ///< number of its names, also those outside of the folder
  long long changed_ns = 0;  ///< see FileInfo
  int entries = -1;          ///< number of names in a folder, also `.git`; -1: not entered
};

/// Returns the entries below `root` with `.git` excluded, each folder before its entries. Follows
/// no links and enters no other file system. `enters` decides about each folder by its path
/// relative to `root`. At most a million entries. Skips unreadable folders.
std::vector<TreeEntry> tree_entries(const std::string& root,
                                    const std::function<bool(const std::string&)>& enters);

/// Changes the permission bits of a file or folder. Does not follow links.
Status set_mode(const std::string& path, std::uint32_t mode);
/// Makes `path` a hard link to the file `file`, and replaces an existing file atomically.
Status link_over(const std::string& file, const std::string& path);
/// Creates the symbolic link `path`. Errors: the name exists already.
Status make_symlink(const std::string& target, const std::string& path);
/// Removes an empty folder. Returns false if that failed.
bool remove_empty_folder(const std::string& path);

/// Restores the owner's access below `root`: to read files, and to read, write and enter folders.
/// Does not follow links or enter `.git`. Handles at most a million entries. Ignores entries whose
/// permissions this user may not change.
void open_tree(const std::string& root);

}  // namespace pedro
