#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tool.h"
#include "tools/tree_path.h"

namespace pedro {

/// The files that a programmer would search: those that git tracks or would add, including hidden
/// ones. Outside a repository, uses ripgrep; without it, all files except those in folders of
/// builds and package managers. Never includes ".git".
struct FileList {
  std::vector<std::string> paths;  ///< relative to the root, sorted by bytes
  bool complete = true;            ///< false if there are more than the limit
};

/// Errors: kInterrupted; kRefused if the programs cannot run.
Result<FileList> list_files(ToolContext& context, const TreePath& folder);

/// Returns true if the name is that of git's folder, or one for builds and package managers.
bool is_filled_by_tools(std::string_view name);

/// Returns true if the root is in a git work tree. Errors: only kInterrupted.
Result<bool> in_git_repository(ToolContext& context);

/// Returns `path` relative to `folder`, which is "." or a prefix of it: "b/c" for "a/b/c" and "a".
std::string_view below(std::string_view path, std::string_view folder);

/// Draws file paths as an indented tree, with "/" after folders. Folders at `max_depth` (1: only
/// entries of the root) show their number of files. Upper levels are filled first, with at most
/// `max_entries` lines. A folder without shown entries shows its number of files. `paths` must be
/// sorted, and relative to the root of the tree.
std::string draw_tree(const std::vector<std::string>& paths, std::size_t max_depth,
                      std::size_t max_entries);

}  // namespace pedro
