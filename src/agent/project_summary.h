#pragma once

#include <string>
#include <vector>

#include "agent/feedback.h"
#include "sys/work_tree.h"
#include "tools/checks.h"

namespace pedro {

/// What a model should know of a project before it looks: the entries of its top folder (at most
/// 60) and the commands that will check it.
std::string project_summary(const WorkTree& tree, const std::vector<Check>& checks,
                            const Feedback& feedback);

/// Returns a prompt text (feedback/fails_before.md) with the command and the failing part of each
/// failed check, at most `max_bytes` per check. "" if none failed.
std::string failures_text(const std::vector<CheckOutcome>& outcomes, std::size_t max_bytes,
                          const Feedback& feedback);

}  // namespace pedro
