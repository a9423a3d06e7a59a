#pragma once

#include <string>

#include "sys/descriptor.h"

namespace pedro {

// Folders on whose way no link is followed: what a command made of one leads nowhere. Paths are
// absolute and normal. Thread-safe.

/// The folder at `path`, open; not where a part of the way is missing, a link or no folder.
Descriptor open_plain_folder(const std::string& path);

/// The same; what is in the way and no folder is removed, and what is missing made, for its owner
/// and readable by others.
Descriptor make_plain_folder(const std::string& path);

}  // namespace pedro
