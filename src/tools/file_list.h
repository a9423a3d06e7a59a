#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tool.h"
#include "tools/tree_path.h"

namespace pedro {

/// The files a programmer would look through: what git tracks or would add (hidden ones too), or,
/// outside a repository, what ripgrep lists, or, without that, everything but the folders that
/// builds and package managers fill. Never anything in ".git".
struct FileList {
  std::vector<std::string> paths;  ///< as the model sees them, sorted by bytes
  bool complete = true;            ///< false where there were more than we take
};

/// Error: kInterrupted, or kRefused where the programs cannot be run.
Result<FileList> list_files(ToolContext& context, const TreePath& folder);

/// Whether a folder of that name is git's own, or one that builds and package managers fill.
bool is_filled_by_tools(std::string_view name);

/// Whether the root lies in a git work tree.
Result<bool> in_git_repository(ToolContext& context);

/// `path` below `folder`, which is "." or begins it: "b/c" of "a/b/c" and "a".
std::string_view below(std::string_view path, std::string_view folder);

}  // namespace pedro
