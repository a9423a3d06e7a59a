#pragma once

#include <optional>
#include <string>

#include "command.h"
#include "git/own_work_tree.h"
#include "git/repository.h"
#include "options.h"
#include "sys/folder_lock.h"

namespace pedro {

/// The folder of a job, which no other job uses.
struct WorkPlace {
  std::optional<OwnWorkTree> own_tree;  ///< with -worktree
  Repository repository;
  std::optional<FolderLock> lock;  ///< on the root of the work tree; empty in a dry run
};

/// Returns the user's work tree, or with -worktree a new one at the commit `base` in the state
/// folder. Warns of files that the new one lacks. `before`: the work tree of a resumed job, which
/// is used or created again. Error (kUsage): another process uses the folder, or it cannot be
/// created.
Result<WorkPlace> take_work_place(CommandContext& context, const BuildOptions& options,
                                  const Repository& users, const std::string& base,
                                  const std::string& before);

/// Removes the job's own work tree, if any. Keeps it and prints its path if it has uncommitted
/// work.
void leave_own_tree(const CommandContext& context, const std::optional<OwnWorkTree>& own);

/// Returns the folder of the jobs' own work trees.
std::string own_trees_folder(const Environment& environment);

}  // namespace pedro
