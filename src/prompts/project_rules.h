#pragma once

#include <cstddef>
#include <string>

#include "sys/file_system.h"

namespace pedro {

/// The rules of a project for agents: every AGENTS.md (https://agents.md) from `root` down to
/// `folder`, which lies in it, the nearest last. At most `max_bytes`, of which the nearest have
/// theirs first; what is cut says so, if there is room for that. "" where there is none.
std::string project_rules(const FileSystem& files, const std::string& root,
                          const std::string& folder, std::size_t max_bytes);

}  // namespace pedro
