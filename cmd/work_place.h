#pragma once

#include <optional>
#include <string>

#include "agent/own_work_tree.h"
#include "agent/repository.h"
#include "command.h"
#include "options.h"
#include "sys/folder_lock.h"

namespace pedro {

/// Where a job works, and nobody else.
struct WorkPlace {
  std::optional<OwnWorkTree> own_tree;  ///< of a job with -worktree
  Repository repository;
  std::optional<FolderLock> lock;  ///< on the top of the work tree; a dry run has none
};

/// The user's work tree, or with -worktree a new one at the commit `base`, below our state folder;
/// what that one lacks is told. `before` is the one that a job worked in which is gone on with: it
/// is used, or made once more. Error (kUsage): somebody is at work there, or it cannot be made.
Result<WorkPlace> take_work_place(CommandContext& context, const BuildOptions& options,
                                  const Repository& users, const std::string& base,
                                  const std::string& before);

/// Removes a work tree of a job's own, if there is one, unless something in it is nowhere else:
/// then it stays, and its path is told.
void leave_own_tree(const CommandContext& context, const std::optional<OwnWorkTree>& own);

/// The folder that such work trees lie in.
std::string own_trees_folder(const Environment& environment);

}  // namespace pedro
