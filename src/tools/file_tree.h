#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// File paths as an indented tree, folders with "/". Folders below `max_depth` (1: only what lies
/// directly in the root) show how many files they hold. Lines go to the upper levels first: at most
/// `max_entries`, and what a folder could not show is counted in it. `paths` are sorted, relative
/// to the root of the tree.
std::string draw_tree(const std::vector<std::string>& paths, std::size_t max_depth,
                      std::size_t max_entries);

}  // namespace pedro
