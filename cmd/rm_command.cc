#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "agent/checkpoints.h"
#include "agent/own_work_tree.h"
#include "base/utf8.h"
#include "choose_job.h"
#include "command.h"
#include "sys/folder_lock.h"
#include "sys/scratch_folder.h"
#include "work_place.h"

namespace pedro {
namespace {

// A work tree of the job's own that was left behind. Error: something in it is nowhere else.
Status remove_own_tree(CommandContext& context, const JobSummary& job) {
  if (job.repository.empty()) return {};
  if (context.files.link_info(job.workdir).kind == FileKind::kMissing) return {};
  // The journal says where it is; only what lies among ours is removed.
  if (folder_name(job.workdir) != own_trees_folder(context.environment)) return {};
  const auto own = OwnWorkTree::find(context.files, context.processes, context.cancel, job.workdir);
  if (!own) return own.error();
  const Result<FolderLock> lock = FolderLock::take(own->path());
  if (!lock) return lock.error();
  const Result<bool> work = own->has_work();
  if (!work) return work.error();
  if (!*work) return own->remove();
  return usage_error(
      fmt::format("its work tree {} has work that is in no commit: commit it, or "
                  "remove it by `git worktree remove --force`",
                  job.workdir));
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

Status remove_job(CommandContext& context, const JobStore& store, const std::string& given) {
  const Result<std::string> id = store.find(given);
  if (!id) return id.error();
  const std::string folder = store.folder(*id);
  const Result<FolderLock> lock = FolderLock::take(folder);
  const Result<JobSummary> job = store.load(*id);
  if (!job) return job.error();
  if (!lock || job->state == JobState::kRunning) {
    return usage_error(
        fmt::format("{}: is being worked on; `pedrocli cancel {}` ends it", *id, *id));
  }
  if (Status tree = remove_own_tree(context, *job); !tree) return tree.error().at(*id);
  const int refs = drop_checkpoints(context, *job);
  // Under a name that is no job's: nobody sees half a job, whatever happens meanwhile.
  const std::string aside = join_path(folder_name(folder), ".removed-" + *id);
  if (Status moved = context.files.rename(folder, aside); !moved) return moved.error();
  remove_tree(aside);
  if (context.files.link_info(aside).kind != FileKind::kMissing) {
    return Error{ErrorKind::kInternal, aside + ": could not all be removed"};
  }
  print(context.global.json
            ? to_line({{"type", "rm"}, {"job", *id}, {"refs", refs}}) + "\n"
            : fmt::format("{}: removed{}\n", *id,
                          refs == 0 ? "" : fmt::format(", with {} refs of its checkpoints", refs)));
  return {};
}

Result<int> run_rm(CommandContext& context, const std::vector<std::string>& jobs) {
  const Result<JobStore> store = open_job_store(context);
  if (!store) return store.error();
  int code = kExitDone;
  for (const std::string& job : jobs) {
    if (Status removed = remove_job(context, *store, job); !removed) {
      code = report_error(removed.error(), context.cancel);
    }
    if (context.cancel.cancelled()) break;
  }
  return code;
}

}  // namespace

CommandFunction add_rm_command(CLI::App& command) {
  auto jobs = std::make_shared<std::vector<std::string>>();
  command.add_option("job", *jobs, "The jobs' ids")->required();
  return
      [jobs](CommandContext& context) { return exit_code(run_rm(context, *jobs), context.cancel); };
}

}  // namespace pedro
