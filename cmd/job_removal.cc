#include "job_removal.h"

#include <fmt/format.h>

#include "git/checkpoints.h"
#include "git/own_work_tree.h"
#include "sys/folder_lock.h"
#include "sys/scratch_folder.h"
#include "work_place.h"

namespace pedro {
namespace {

// Removes the job's own work tree. Trusts the path in the journal only if it is in pedrocli's
// folder.
Status remove_tree_of(CommandContext& context, const JobSummary& job, Removal removal,
                      std::string& left) {
  if (job.repository.empty()) return {};
  if (context.files.link_info(job.workdir).kind == FileKind::kMissing) return {};
  const std::string ours = own_trees_folder(context.environment);
  const Result<std::string> real = context.files.canonical(ours);
  if (folder_name(job.workdir) != (real ? *real : ours)) return {};
  if (!OwnWorkTree::is_cut_off(context.files, job.workdir)) {
    return remove_own_tree(context, job.workdir, removal);
  }
  left = cut_off_text(job.workdir);
  return {};
}

// Returns an existing folder of the job's repository; "" if there is none.
std::string folder_of_repository(const CommandContext& context, const JobSummary& job) {
  for (const std::string& folder : {job.repository, job.workdir}) {
    if (context.files.info(folder).kind == FileKind::kFolder) return folder;
  }
  return "";
}

Result<Checkpoints::Dropped> drop_checkpoints(CommandContext& context, const JobSummary& job) {
  const std::string folder = folder_of_repository(context, job);
  if (folder.empty()) return usage_error("its repository no longer exists");
  PEDRO_TRY(const auto repository,
            Repository::open(context.files, context.processes, context.cancel, folder));
  return Checkpoints(repository, job.id).drop(Checkpoints::KeptRefs::kStay);
}

// Removes the job's checkpoints. An interruption keeps the job; other failures do not.
Status drop_what_it_kept(CommandContext& context, const JobSummary& job, RemovedJob& removed) {
  const auto dropped = drop_checkpoints(context, job);
  const std::string& repository = job.repository.empty() ? job.workdir : job.repository;
  if (dropped) {
    removed.refs = dropped->refs;
    if (!dropped->kept.empty()) {
      removed.left_refs = fmt::format(
          "{}N of {}: the files that an undo replaced; `git update-ref -d {}N` deletes them",
          dropped->kept, repository, dropped->kept);
    }
  } else if (dropped.error().kind == ErrorKind::kInterrupted) {
    return dropped.error();
  } else if (!job.checkpoints.empty()) {
    removed.left_refs =
        fmt::format("refs/pedrocli/{}/ of {}: {}", job.id, repository, dropped.error().message);
  }
  return {};
}

}  // namespace

Status remove_own_tree(CommandContext& context, const std::string& path, Removal removal) {
  PEDRO_TRY(const auto own,
            OwnWorkTree::find(context.files, context.processes, context.cancel, path));
  PEDRO_RETURN_IF_ERROR(FolderLock::take(own.path()));
  PEDRO_TRY(const bool work, own.has_work());
  if (!work) return removal == Removal::kDryRun ? Status() : own.remove();
  return usage_error(
      fmt::format("its work tree {} has uncommitted work: commit it, or remove it with `git "
                  "worktree remove --force`",
                  path));
}

std::string cut_off_text(const std::string& path) {
  return fmt::format(
      "the work tree {}: its repository no longer exists, so it may hold the only copy of some "
      "work; if the repository was moved, run `git worktree repair {}` there, otherwise `rm -r {}`",
      path, path, path);
}

Result<RemovedJob> remove_job(CommandContext& context, const JobStore& store, const std::string& id,
                              Removal removal) {
  const std::string folder = store.folder(id);
  const Result<FolderLock> lock = FolderLock::take(folder);
  PEDRO_RETURN_IF_ERROR(store.require(id));
  Result<JobSummary> job = store.load(id);
  if (!job) job = store.brief(id);  // an unreadable journal does not prevent the removal
  if (!lock || job->state == JobState::kRunning) {
    return usage_error(fmt::format("{}: is running; stop it with `pedrocli cancel {}`", id, id));
  }
  RemovedJob removed;
  Status tree = remove_tree_of(context, *job, removal, removed.left_tree);
  if (!tree) return tree.error().at(id);
  if (removal == Removal::kDryRun) return removed;
  PEDRO_RETURN_IF_ERROR(drop_what_it_kept(context, *job, removed));
  // Renames the folder first, so that an incomplete job is never visible.
  const std::string aside = join_path(folder_name(folder), kRemovedPrefix + id);
  PEDRO_RETURN_IF_ERROR(context.files.rename(folder, aside));
  remove_tree(aside);
  if (context.files.link_info(aside).kind != FileKind::kMissing) {
    return Error{ErrorKind::kInternal, aside + ": cannot remove all of it"};
  }
  return removed;
}

}  // namespace pedro
