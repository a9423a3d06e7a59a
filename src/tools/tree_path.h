#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "sys/work_tree.h"
#include "tools/tool.h"

namespace pedro {

/// A resolved path argument of a call.
struct TreePath {
  std::string absolute;
  std::string shown;  ///< for the model: relative to the root
  FileInfo info;
};

/// Errors of kind kRefused below are for the model, and suggest what to try next.

/// Returns the path, which may be missing.
Result<TreePath> any_path(const WorkTree& tree, std::string_view path);
/// Returns the path of an existing regular file. Errors list the nearest names.
Result<TreePath> existing_file(const WorkTree& tree, std::string_view path);
/// The same two for paths to change or remove. Refuse paths that only the user may change.
Result<TreePath> any_path_to_change(const WorkTree& tree, std::string_view path);
Result<TreePath> existing_file_to_change(const WorkTree& tree, std::string_view path);
/// Returns the path of an existing folder; "" is the root.
Result<TreePath> existing_folder(const WorkTree& tree, std::string_view path);

/// Converts an error to a tool's answer: kRefused becomes a refusal, other errors stop the job.
Result<ToolResult> answer_for(const Error& error);

}  // namespace pedro
