#pragma once

#include <cstddef>
#include <string>

#include "sys/file_system.h"

namespace pedro {

/// The rules of a project for agents: every AGENTS.md (https://agents.md) from `root` down to
/// `folder`, which lies in it, the nearest last. At most `max_bytes`, of which the nearest have
/// theirs first, but for a quarter that those above have; of a file of more than 1 MiB that is
/// read. What is cut says so, and what is left out is named, if there is room for that. A link is
/// followed where it stays in the root. "" where there is none.
std::string project_rules(const FileSystem& files, const std::string& root,
                          const std::string& folder, std::size_t max_bytes);

}  // namespace pedro
