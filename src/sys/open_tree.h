#pragma once

#include <string>

namespace pedro {

/// Restores the owner's access below `root`: to read files, and to read, write and enter folders.
/// Does not follow links or enter `.git`. Handles at most a million entries. Ignores entries whose
/// permissions this user may not change.
void open_tree(const std::string& root);

}  // namespace pedro
