#include "clean_run.h"

#include "agent/own_work_tree.h"
#include "sandbox_setup.h"
#include "sys/confined_file_system.h"
#include "sys/scratch_folder.h"
#include "work_place.h"

namespace pedro {

Result<std::vector<CheckOutcome>> CleanRun::run(const std::string& commit, const std::string& base,
                                                const std::set<std::string>& of_base,
                                                const std::vector<Check>& checks) {
  const std::string folder = own_trees_folder(context_.environment);
  if (folder.empty()) return open_job_store(context_).error();
  const std::string path = join_path(folder, "clean-" + job_id_);
  if (context_.files.link_info(path).kind != FileKind::kMissing) {  // left by a killed job
    remove_tree(path);
    (void)setup_.repository.remove_work_tree(path);
  }
  Result<OwnWorkTree> own =
      OwnWorkTree::make(setup_.repository, path, commit, Repository::TreeFiles::kAll);
  if (!own) return own.error();
  fill_submodules(own->path(), commit);
  const Status taken = take_from_base(own->repository(), base, of_base);
  Result<std::vector<CheckOutcome>> outcomes =
      taken ? run_in(own->path(), checks) : Result<std::vector<CheckOutcome>>(taken.error());
  const Status removed = own->remove();
  if (outcomes && !removed) return removed.error();
  return outcomes;
}

Result<std::vector<CheckOutcome>> CleanRun::run_in(const std::string& root,
                                                   const std::vector<Check>& checks) {
  auto files = ConfinedFileSystem::open(root);
  if (!files) return files.error();
  const Result<WorkTree> tree = WorkTree::open(**files, root);
  if (!tree) return tree.error();
  Result<Sandbox> sandbox = open_sandbox(context_, setup_.config.config, root);
  if (!sandbox) return sandbox.error();
  SandboxRunner sandboxed(*sandbox);
  Result<NetworkCommands> runner = commands_in(sandboxed, setup_.config.config);
  if (!runner) return runner.error();
  const SecretMask* secrets = setup_.secrets->mask();
  std::vector<CheckOutcome> outcomes;
  for (const Check& check : checks) {
    Result<CheckOutcome> outcome = run_check(
        check, *tree, *runner, setup_.config.config.limits.check_timeout_seconds, cancel_);
    if (!outcome) return outcome.error();
    outcomes.push_back(masked_outcome(*std::move(outcome), secrets));
  }
  return outcomes;
}

Status CleanRun::take_from_base(const Repository& own, const std::string& base,
                                const std::set<std::string>& paths) const {
  if (paths.empty()) return {};
  const Result<std::vector<std::string>> added = own.not_in(base, paths);
  if (!added) return added.error();
  std::set<std::string> known = paths;
  for (const std::string& path : *added) {
    known.erase(path);
    if (Status gone = context_.files.remove(join_path(own.root(), path)); !gone) return gone;
  }
  return known.empty() ? Status() : own.check_out_below(own.root(), base, known);
}

// Leaves a submodule empty if its commit does not exist locally.
void CleanRun::fill_submodules(const std::string& root, const std::string& commit) const {
  const auto submodules = setup_.repository.submodules(commit);
  if (!submodules) return;
  for (const auto& [path, id] : *submodules) {
    const std::string place = join_path(setup_.repository.root(), path);
    const auto inner = Repository::open(context_.files, context_.processes, cancel_, place);
    const auto real = context_.files.canonical(place);
    if (!inner || !real || inner->root() != *real) continue;  // not checked out
    (void)inner->check_out_below(join_path(root, path), id, {});
  }
}

}  // namespace pedro
