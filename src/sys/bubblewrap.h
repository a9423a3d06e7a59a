#pragma once

#include <string>
#include <vector>

#include "sys/sandbox_child.h"
#include "sys/sandbox_view.h"

namespace pedro {

/// The command line that makes `program`, a bwrap, show a view to what is appended to it, in
/// namespaces of its own, without rights and with limits (but for that of processes, which would
/// count all that the user runs).
std::vector<std::string> bubblewrap_command(const std::string& program, const SandboxView& view,
                                            const ResourceLimits& limits, bool net,
                                            const std::string& folder);

}  // namespace pedro
