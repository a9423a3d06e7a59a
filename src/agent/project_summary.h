#pragma once

#include <string>
#include <vector>

#include "agent/feedback.h"
#include "sys/work_tree.h"
#include "tools/checks.h"

namespace pedro {

/// Returns a project overview for the model: entries of its root folder (at most 60) and commands
/// of its checks.
std::string project_summary(const WorkTree& tree, const std::vector<Check>& checks,
                            const Feedback& feedback);

/// Returns a prompt text (feedback/fails_before.md) with the command and the failing part of each
/// failed check. Each part has at most `max_bytes`. Returns "" if no check failed.
std::string failures_text(const std::vector<CheckOutcome>& outcomes, std::size_t max_bytes,
                          const Feedback& feedback);

}  // namespace pedro
