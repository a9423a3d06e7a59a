#include "work_place.h"

#include <fmt/format.h>

#include <random>

#include "job/job_id.h"

namespace pedro {
namespace {

// Warns of the user's files that the job's own work tree lacks.
void warn_of_missing(const CommandContext& context, const Repository& users,
                     const OwnWorkTree& own) {
  const auto warn = [&context](const std::string& text) {
    print_note(context.global, "pedrocli: warning: " + text);
  };
  const auto dirty = users.uncommitted_files();
  if (dirty && !dirty->empty()) {
    const std::size_t more = dirty->size() - 1;
    warn(fmt::format("the job does not see uncommitted changes in {}: {}{}", users.root(),
                     dirty->front().path, more == 0 ? "" : fmt::format(" and {} more", more)));
  }
  if (context.files.info(join_path(own.path(), ".gitmodules")).kind != FileKind::kMissing) {
    warn("submodules are empty folders in the job's work tree");
  }
}

Result<OwnWorkTree> make_own_tree(const CommandContext& context, const std::string& agent,
                                  const Repository& users, const std::string& base,
                                  const std::string& before) {
  if (!before.empty()) {
    if (context.files.info(before).kind == FileKind::kMissing) {
      return OwnWorkTree::make(users, before, base);
    }
    return OwnWorkTree::find(context.files, context.processes, context.cancel, before);
  }
  const std::string folder = own_trees_folder(context.environment);
  if (folder.empty()) return open_job_store(context).error();
  std::random_device random;
  const std::string name = new_job_id(context.clock.now_ms(), agent, random());
  return OwnWorkTree::make(users, join_path(folder, name), base);
}

}  // namespace

std::string own_trees_folder(const Environment& environment) {
  const std::string state = environment.state_folder();
  return state.empty() ? "" : join_path(state, "worktrees");
}

Result<WorkPlace> take_work_place(CommandContext& context, const BuildOptions& options,
                                  const Repository& users, const std::string& base,
                                  const std::string& before) {
  WorkPlace place{std::nullopt, users, std::nullopt};
  if (options.dry_run) return place;
  if (options.worktree) {
    Result<OwnWorkTree> own = make_own_tree(context, options.agent, users, base, before);
    if (!own) return own.error().at("-worktree");
    place.repository = own->repository();
    place.own_tree = *std::move(own);
  }
  PEDRO_TRY(place.lock, FolderLock::take(place.repository.root()));
  if (place.own_tree) warn_of_missing(context, users, *place.own_tree);
  return place;
}

void leave_own_tree(const CommandContext& context, const std::optional<OwnWorkTree>& own) {
  if (!own) return;
  const Result<bool> work = own->has_work();
  const Status removed = work && !*work ? own->remove() : Status();
  if (work && !*work && removed) return;
  print_note(context.global,
             fmt::format("pedrocli: the job's work tree {} is kept: {}", own->path(),
                         !work      ? work.error().message
                         : !removed ? removed.error().message
                                    : "it has uncommitted work"));
}

}  // namespace pedro
