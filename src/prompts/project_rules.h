#pragma once

#include <cstddef>
#include <string>

#include "sys/file_system.h"

namespace pedro {

/// Returns the project's rules for agents: every AGENTS.md (https://agents.md) from `root` down to
/// `folder`, the nearest last. `folder` must be inside of `root`.
///
/// Returns at most `max_bytes`. The nearest files have priority, except for a quarter that is
/// reserved for those above. Reads at most 1 MiB of each file. Marks truncated texts, and
/// names omitted files if there is room. Follows a link only if its target is inside the root.
/// Returns "" if there are no rules.
std::string project_rules(const FileSystem& files, const std::string& root,
                          const std::string& folder, std::size_t max_bytes);

}  // namespace pedro
