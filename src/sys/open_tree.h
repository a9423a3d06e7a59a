#pragma once

#include <string>

namespace pedro {

/// Gives the owner access to the folders (read, write, enter) and files (read) below `root` that
/// lack it, so that they can be read and replaced. Does not follow links or enter `.git`. Stops
/// after a million entries. Ignores what this user may not change.
void open_tree(const std::string& root);

}  // namespace pedro
