#pragma once

#include <cstddef>
#include <string>

#include "tools/tool.h"
#include "tools/tree_path.h"

namespace pedro {

/// Returns a map of the source files below `folder`, for the model: "PATH: NAME:LINE, ..." with the
/// most used definitions of each file. The first files are those whose names most other files of
/// the project use; a name with several definitions counts for each in part. Uses universal-ctags,
/// without it source_outline.h. The text has at most `max_tokens`, at three bytes per token.
/// Reads at most 5,000 files and 64 MiB. Errors: those of list_files().
Result<std::string> project_map(ToolContext& context, const TreePath& folder,
                                std::size_t max_tokens);

}  // namespace pedro
