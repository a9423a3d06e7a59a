#include "build_job.h"
#include "git/clean_clone.h"
#include "git/commit_files.h"
#include "sandbox_setup.h"
#include "sys/confined_file_system.h"
#include "sys/scratch_folder.h"
#include "work_place.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxTestBytes = 8u << 20;
constexpr std::size_t kMaxWatchedFiles = 20'000;

// The times of the last changes of the files of a commit in its checkout.
class FileTimes {
 public:
  // Watches no file if the commit has too many.
  static Result<FileTimes> of(const FileSystem& files, const Repository& checkout,
                              const std::string& commit) {
    PEDRO_TRY(const auto paths, CommitFiles(checkout.git()).paths_in(commit, {}));
    FileTimes times(files, checkout.root());
    if (paths.size() > kMaxWatchedFiles) return times;
    for (const std::string& path : paths) times.changed_[path] = times.changed_ns(path);
    return times;
  }

  void add_changed(std::set<std::string>& paths) const {
    for (const auto& [path, before] : changed_) {
      if (changed_ns(path) != before) paths.insert(path);
    }
  }

 private:
  FileTimes(const FileSystem& files, std::string root) : files_(&files), root_(std::move(root)) {}

  long long changed_ns(const std::string& path) const {
    return files_->link_info(join_path(root_, path)).changed_ns;
  }

  const FileSystem* files_;
  std::string root_;
  std::map<std::string, long long> changed_;
};

}  // namespace

Result<std::vector<CheckOutcome>> CleanRun::run(const CleanRequest& request) {
  const std::string folder = own_trees_folder(context_.environment);
  if (folder.empty()) return open_job_store(context_).error();
  const std::string above = join_path(folder, "clean-" + job_id_);
  remove_tree(above);  // left by a killed job
  // A build may use the name of the folder.
  const std::string path = join_path(above, base_name(setup_.repository.root()));
  PEDRO_TRY(const CleanClone clone,
            CleanClone::make(setup_.repository, path, request.commit, setup_.settings.branch));
  fill_submodules(path, request.commit);
  Status ready = take_from_base(clone.repository(), request.base, request.of_base);
  Result<bool> is_edited = ready ? edit_tests(clone.repository().root(), request) : ready.error();
  Result<std::vector<CheckOutcome>> outcomes = std::vector<CheckOutcome>();
  if (!is_edited) outcomes = is_edited.error();
  if (is_edited && (*is_edited || !request.edit)) outcomes = run_in(clone.repository(), request);
  remove_tree(above);
  return outcomes;
}

Result<std::vector<CheckOutcome>> CleanRun::run_in(const Repository& checkout,
                                                   const CleanRequest& request) {
  const std::string& root = checkout.root();
  PEDRO_TRY(auto files, ConfinedFileSystem::open(root));
  PEDRO_TRY(const WorkTree tree, WorkTree::open(*files, root));
  PEDRO_TRY(Sandbox sandbox, open_sandbox(context_, setup_.config.config, root, TreeUse::kRemoved));
  SandboxRunner sandboxed(sandbox);
  PEDRO_TRY(NetworkCommands runner, commands_in(sandboxed, setup_.config.config));
  const SecretMask* secrets = setup_.secrets->mask();
  std::optional<FileTimes> times;
  if (request.rewritten != nullptr) {
    PEDRO_TRY(times, FileTimes::of(context_.files, checkout, request.commit));
  }
  std::vector<CheckOutcome> outcomes;
  for (const Check& check : request.checks) {
    PEDRO_TRY(
        CheckOutcome outcome,
        run_check(
            check, tree, runner,
            {.timeout_s = static_cast<double>(setup_.config.config.limits.check_timeout_seconds)},
            cancel_));
    outcomes.push_back(masked_outcome(std::move(outcome), secrets));
  }
  if (times) times->add_changed(*request.rewritten);
  return outcomes;
}

Status CleanRun::take_from_base(const Repository& own, const std::string& base,
                                const std::set<std::string>& paths) const {
  if (paths.empty()) return {};
  PEDRO_TRY(const std::vector<std::string> added, CommitFiles(own.git()).not_in(base, paths));
  std::set<std::string> known = paths;
  for (const std::string& path : added) {
    known.erase(path);
    PEDRO_RETURN_IF_ERROR(context_.files.remove(join_path(own.root(), path)));
  }
  return known.empty() ? Status() : CommitFiles(own.git()).check_out_below(own.root(), base, known);
}

// Returns false if the request changes no test. Skips files that the checkout lacks.
Result<bool> CleanRun::edit_tests(const std::string& root, const CleanRequest& request) const {
  if (!request.edit) return false;
  PEDRO_TRY(auto files, ConfinedFileSystem::open(root));
  std::map<std::string, std::string> texts;
  for (const std::string& path : request.tests) {
    const std::string place = join_path(root, path);
    if (files->link_info(place).kind != FileKind::kFile) continue;
    if (auto text = files->read(place, kMaxTestBytes)) texts[path] = *std::move(text);
  }
  const std::map<std::string, std::string> edited = request.edit(texts);
  for (const auto& [path, text] : edited) {
    PEDRO_RETURN_IF_ERROR(files->write_atomic(join_path(root, path), text, 0644));
  }
  return !edited.empty();
}

// Leaves a submodule empty if its commit does not exist locally.
void CleanRun::fill_submodules(const std::string& root, const std::string& commit) const {
  const auto submodules = CommitFiles(setup_.repository.git()).submodules(commit);
  if (!submodules) return;
  for (const auto& [path, id] : *submodules) {
    const std::string place = join_path(setup_.repository.root(), path);
    const auto inner = Repository::open(context_.files, context_.processes, cancel_, place);
    const auto real = context_.files.canonical(place);
    if (!inner || !real || inner->root() != *real) continue;  // not checked out
    (void)CommitFiles(inner->git()).check_out_below(join_path(root, path), id, {});
  }
}

}  // namespace pedro
