#include "job_removal.h"

#include <fmt/format.h>

#include "agent/checkpoints.h"
#include "agent/own_work_tree.h"
#include "sys/folder_lock.h"
#include "sys/scratch_folder.h"
#include "work_place.h"

namespace pedro {
namespace {

// One that was left behind. The journal says where it is; only what lies among ours is removed.
Status remove_tree_of(CommandContext& context, const JobSummary& job, Removal removal) {
  if (job.repository.empty()) return {};
  if (context.files.link_info(job.workdir).kind == FileKind::kMissing) return {};
  const std::string ours = own_trees_folder(context.environment);
  const Result<std::string> real = context.files.canonical(ours);
  if (folder_name(job.workdir) != (real ? *real : ours)) return {};
  return remove_own_tree(context, job.workdir, removal);
}

// The refs in the job's repository, as far as that is still there; how many there were.
int drop_checkpoints(CommandContext& context, const JobSummary& job) {
  for (const std::string& folder : {job.repository, job.workdir}) {
    if (folder.empty() || context.files.info(folder).kind != FileKind::kFolder) continue;
    const auto repository =
        Repository::open(context.files, context.processes, context.cancel, folder);
    if (!repository) continue;
    const Result<int> refs = Checkpoints(*repository, job.id).drop();
    return refs ? *refs : 0;
  }
  return 0;
}

}  // namespace

Status remove_own_tree(CommandContext& context, const std::string& path, Removal removal) {
  const auto own = OwnWorkTree::find(context.files, context.processes, context.cancel, path);
  if (!own) return own.error();
  const Result<FolderLock> lock = FolderLock::take(own->path());
  if (!lock) return lock.error();
  const Result<bool> work = own->has_work();
  if (!work) return work.error();
  if (!*work) return removal == Removal::kDryRun ? Status() : own->remove();
  return usage_error(
      fmt::format("its work tree {} has work that is in no commit: commit it, or "
                  "remove it by `git worktree remove --force`",
                  path));
}

Result<int> remove_job(CommandContext& context, const JobStore& store, const std::string& id,
                       Removal removal) {
  const std::string folder = store.folder(id);
  const Result<FolderLock> lock = FolderLock::take(folder);
  const Result<JobSummary> job = store.load(id);
  if (!job) return job.error();
  if (!lock || job->state == JobState::kRunning) {
    return usage_error(fmt::format("{}: is being worked on; `pedrocli cancel {}` ends it", id, id));
  }
  if (Status tree = remove_tree_of(context, *job, removal); !tree) return tree.error().at(id);
  if (removal == Removal::kDryRun) return 0;
  const int refs = drop_checkpoints(context, *job);
  // Under a name that is no job's: nobody sees half a job, whatever happens meanwhile.
  const std::string aside = join_path(folder_name(folder), kRemovedPrefix + id);
  if (Status moved = context.files.rename(folder, aside); !moved) return moved.error();
  remove_tree(aside);
  if (context.files.link_info(aside).kind != FileKind::kMissing) {
    return Error{ErrorKind::kInternal, aside + ": could not all be removed"};
  }
  return refs;
}

}  // namespace pedro
