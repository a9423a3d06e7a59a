#pragma once

#include <string>

#include "command.h"

namespace pedro {

enum class Removal {
  kDone,
  kDryRun,  ///< removes nothing; only reports if the removal would succeed
};

struct RemovedJob {
  int refs = 0;  ///< number of removed checkpoint refs
  /// Parts that remain, with the reason. Refs remain if the repository is missing or git failed, or
  /// if they have the files that an undo replaced. A cut-off work tree remains. "" if nothing
  /// remains.
  std::string left_refs;
  std::string left_tree;
};

/// Removes a job: its folder, its checkpoints in the repository, and its own work tree if one
/// remains. Keeps branches and does not follow links. Errors: kUsage if the job is running or its
/// work tree has unsaved work; kInternal if its folder partly remains.
Result<RemovedJob> remove_job(CommandContext& context, const JobStore& store, const std::string& id,
                              Removal removal = Removal::kDone);

/// Prefix of folders whose removal has not completed.
inline constexpr const char* kRemovedPrefix = ".removed-";

/// Removes a job's own work tree, if no process uses it and all its work is committed. Error
/// (kUsage): one of these conditions is false, or `path` is not a work tree.
Status remove_own_tree(CommandContext& context, const std::string& path,
                       Removal removal = Removal::kDone);

/// Returns the message about a job's own work tree that is cut off (OwnWorkTree) and therefore
/// kept.
std::string cut_off_text(const std::string& path);

}  // namespace pedro
