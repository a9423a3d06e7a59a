#pragma once

#include <string>

#include "command.h"

namespace pedro {

enum class Removal {
  kDone,
  kDryRun,  ///< nothing goes; it is only found out whether it would
};

struct RemovedJob {
  int refs = 0;  ///< of its checkpoints
  /// What could not be removed, and why: the refs, where the repository is not there or git failed,
  /// and a work tree that is cut off. "" where nothing is left.
  std::string left_refs;
  std::string left_tree;
};

/// Removes a job: its folder, what its checkpoints left in the repository, and a work tree of its
/// own that was left behind, as far as that can be done. Branches stay, links are not followed.
/// Errors: kUsage, somebody is at work on it, or its work tree has work that is nowhere else;
/// kInternal, its folder could not all be removed.
Result<RemovedJob> remove_job(CommandContext& context, const JobStore& store, const std::string& id,
                              Removal removal = Removal::kDone);

/// What the names of folders begin with that a removal has not come to the end of.
inline constexpr const char* kRemovedPrefix = ".removed-";

/// Removes a work tree among ours that nobody is at work in; nothing where something in it is
/// nowhere else. Error (kUsage): that, somebody is at work there, or it is no work tree.
Status remove_own_tree(CommandContext& context, const std::string& path,
                       Removal removal = Removal::kDone);

/// What is said of a work tree among ours that is cut off (OwnWorkTree), and so not removed.
std::string cut_off_text(const std::string& path);

}  // namespace pedro
