#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "sys/work_tree.h"
#include "tools/tool.h"

namespace pedro {

/// A path argument of a call, resolved.
struct TreePath {
  std::string absolute;
  std::string shown;  ///< as the model should see it: relative to the root
  FileInfo info;
};

/// In all of these an error of kind kRefused is in words for the model, and says what to try next.

/// The path, which may be missing.
Result<TreePath> any_path(const WorkTree& tree, std::string_view path);
/// The path of a regular file that is there; where it is not, the names nearest to it.
Result<TreePath> existing_file(const WorkTree& tree, std::string_view path);
/// The same two for what is to be changed or removed; not what only the user may change.
Result<TreePath> any_path_to_change(const WorkTree& tree, std::string_view path);
Result<TreePath> existing_file_to_change(const WorkTree& tree, std::string_view path);
/// The path of a folder that is there. "" is the root.
Result<TreePath> existing_folder(const WorkTree& tree, std::string_view path);

/// What a tool answers where `error` came up: kRefused is the model's mistake, the rest stops the
/// job.
Result<ToolResult> answer_for(const Error& error);

}  // namespace pedro
