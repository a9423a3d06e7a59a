#pragma once

#include <string>

#include "agent/checked_tree.h"

namespace pedro {

/// What a model should know of a project before it looks: the entries of its top folder (at most
/// 60) and the commands that will check it.
std::string project_summary(const CheckedTree& tree);

}  // namespace pedro
