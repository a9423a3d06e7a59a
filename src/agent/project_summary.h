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

}  // namespace pedro
