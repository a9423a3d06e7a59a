#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Draws file paths as an indented tree, with "/" after folders. Folders at `max_depth` (1: only
/// entries of the root) show their number of files. Upper levels are filled first, with at most
/// `max_entries` lines. A folder without shown entries shows its number of files. `paths` must be
/// sorted, and relative to the root of the tree.
std::string draw_tree(const std::vector<std::string>& paths, std::size_t max_depth,
                      std::size_t max_entries);

}  // namespace pedro
