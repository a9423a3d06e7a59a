#pragma once

#include <string>

#include "command.h"

namespace pedro {

enum class Removal {
  kDone,
  kDryRun,  ///< nothing goes; it is only found out whether it would
};

/// Removes a job: its folder, the refs of its checkpoints where the repository is still there, and
/// a work tree of its own that was left behind; how many refs there were. Branches stay, links are
/// not followed. Errors: kUsage, somebody is at work on it, or its work tree has work that is
/// nowhere else; kInternal, not all could be removed.
Result<int> remove_job(CommandContext& context, const JobStore& store, const std::string& id,
                       Removal removal = Removal::kDone);

/// What the names of folders begin with that a removal has not come to the end of.
inline constexpr const char* kRemovedPrefix = ".removed-";

/// Removes a work tree among ours that nobody is at work in; nothing where something in it is
/// nowhere else. Error (kUsage): that, somebody is at work there, or it is no work tree.
Status remove_own_tree(CommandContext& context, const std::string& path,
                       Removal removal = Removal::kDone);

}  // namespace pedro
