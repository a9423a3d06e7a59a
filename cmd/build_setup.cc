#include "build_setup.h"

#include <fmt/format.h>

#include <map>

#include "base/utf8.h"
#include "build_start.h"
#include "git/branch_push.h"
#include "git/commit_files.h"
#include "model_factory.h"
#include "sandbox_setup.h"
#include "task_reader.h"
#include "tools/git_command.h"
#include "tools/project_checks.h"
#include "work_place.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxNamedFiles = 5;

// Rejects contradictory flags and early those that would fail after the work is done.
Status check_flags(const BuildOptions& options) {
  if (options.no_commit) {
    const char* other = options.push              ? "-push"
                        : !options.branch.empty() ? "-branch"
                        : !options.base.empty()   ? "-base"
                                                  : nullptr;
    if (other) return usage_error(fmt::format("-no-commit creates no branch: omit {}", other));
  }
  if (options.worktree && options.allow_dirty) {
    return usage_error("-worktree starts from the committed files: omit -allow-dirty");
  }
  if (options.branch.empty()) return {};
  const std::string problem = branch_problem(options.branch);
  return problem.empty() ? Status() : Status(usage_error("-branch: " + problem));
}

Status check_push(const BuildOptions& options, const LoadedConfig& config,
                  const Repository& repository) {
  if (!options.push) return {};
  PEDRO_RETURN_IF_ERROR(require_own_configuration(repository));
  const std::string& remote = config.config.git.remote;
  const Result<std::string> address = repository.remote_address(remote);
  if (!address) return address.error().at("-push");
  if (address->empty()) {
    return usage_error(
        fmt::format("-push: there is no remote '{}'; add it, or set git.remote", remote));
  }
  if (!repository.processes().find("gh").empty()) return {};
  return usage_error(
      "-push opens a draft pull request with gh, which is not in PATH; install it, or omit -push "
      "and push the branch yourself");
}

// `left`: files that the job itself left there, for a later message.
Result<std::vector<ChangedFile>> dirty_files(const BuildOptions& options,
                                             const Repository& repository,
                                             const std::vector<ChangedFile>& left = {}) {
  if (options.worktree) return std::vector<ChangedFile>();
  PEDRO_TRY(const std::string head, repository.commit_id());
  repository.forget_changes();
  repository.remember_changes();  // for the first checkpoint and the first checks
  PEDRO_TRY(auto before, repository.changed_files(head));
  std::erase_if(before, [](const ChangedFile& file) { return file.generated; });
  std::vector<ChangedFile> dirty = before;
  std::erase_if(dirty, [&left](const ChangedFile& file) {
    return is_omitted(file) || std::any_of(left.begin(), left.end(), [&](const ChangedFile& known) {
             return same_state(known, file);
           });
  });
  if (dirty.empty() || options.allow_dirty || options.dry_run) return before;
  std::string names;
  for (std::size_t i = 0; i < dirty.size() && i < kMaxNamedFiles; ++i) {
    names += "\n  " + dirty[i].path;
  }
  if (dirty.size() > kMaxNamedFiles) {
    names += fmt::format("\n  and {} more", dirty.size() - kMaxNamedFiles);
  }
  return usage_error(
      fmt::format("the work tree has uncommitted changes:{}\ncommit or stash them, or "
                  "give -allow-dirty to work on top of them",
                  names));
}

Result<BuildSettings> read_settings(const BuildOptions& options, const LoadedConfig& config,
                                    const Repository& repository) {
  BuildSettings settings;
  PEDRO_TRY(settings.dirty, dirty_files(options, repository));
  Result<std::string> base = repository.commit_id(options.base.empty() ? "HEAD" : options.base);
  if (!base) return base.error().at("-base");
  settings.base = std::move(*base);
  PEDRO_TRY(settings.base_branch, repository.branch());
  if (!options.base.empty()) {  // a pull request requires a branch as its base
    PEDRO_TRY(const auto branches, repository.branches());
    settings.base_branch = branches.contains(options.base) ? options.base : "";
  }
  settings.push = options.push;
  settings.files_share = config.config.context.files_share;
  settings.draft = config.config.git.always_draft_pr;
  settings.remote = config.config.git.remote;
  settings.bodies = parse_bodies(config.config.model.bodies).value_or(Bodies::kAuto);
  return settings;
}

Result<std::string> choose_branch(const BuildOptions& options, const LoadedConfig& config,
                                  const BuildTask& task, const Repository& repository) {
  if (options.branch.empty()) {
    const std::string name =
        branch_name(config.config.git.branch_prefix, task.issue_number, task.title);
    const std::string problem = branch_problem(name);
    if (problem.empty()) return name;
    return config_error(fmt::format("{}: git.branch_prefix: {}",
                                    config.origin_of("git.branch_prefix").place, problem));
  }
  const Result<std::string> free_name = repository.free_branch_name(options.branch);
  if (!free_name) return free_name.error().at("-branch");
  if (*free_name == options.branch) return free_name;
  return usage_error(fmt::format("-branch {}: the branch already exists", options.branch));
}

// Fails early if git has no identity for the commit.
Status check_identity(const Repository& repository) {
  const auto identity = repository.git().identity();
  return identity ? Status() : Status(identity.error());
}

std::vector<Check> choose_checks(const CommandContext& context, const BuildOptions& options,
                                 const LoadedConfig& config, const WorkTree& tree) {
  std::vector<Check> checks;
  for (const std::string& command : options.test_cmd)
    checks.push_back({"test", command, "-test-cmd"});
  if (!checks.empty()) return checks;
  for (const std::string& command : config.config.checks) {
    checks.push_back({"check", command, config.origin_of("checks").place});
  }
  if (checks.empty()) checks = detect_checks(tree);
  if (checks.empty() && !config.config.git.pre_commit) {
    print_note(context.global,
               "pedrocli: warning: no checks found, so the result cannot be verified; name them "
               "with -test-cmd or 'checks' in .pedrocli.json");
  }
  return checks;
}

}  // namespace

Result<LoadedConfig> open_build_project(CommandContext& context, const BuildOptions& options) {
  PEDRO_RETURN_IF_ERROR(check_flags(options));
  return open_agent_project(context, options.workdir);
}

namespace {

// Returns an error unless the job's branch is at its last commit.
Status require_branch(const Repository& repository, const std::string& job,
                      const BranchPlace& place) {
  constexpr std::size_t kShownId = 12;
  PEDRO_TRY(const auto branches, repository.branches());
  const auto tip = branches.find(place.name);
  const std::string commit = place.base.substr(0, kShownId);
  if (tip == branches.end()) {
    return usage_error(
        fmt::format("-after {}: its branch {} was deleted; to have it back: git branch {} {}", job,
                    place.name, place.name, commit));
  }
  if (tip->second == place.base) return {};
  return usage_error(
      fmt::format("-after {}: its branch {} was moved from {} to {}; to work on that, start a new "
                  "job: pedrocli build -base {}",
                  job, place.name, commit, tip->second.substr(0, kShownId), place.name));
}

// Changes the inputs of a finished job to those for a later message: it starts at the job's last
// commit.
Status begin_turn(CommandContext& context, const BuildOptions& options,
                  const Repository& repository, BuildStart& start) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  const std::string& id = context.global.resume;
  const JobSummary job = store.brief(id);
  BuildSettings& settings = start.settings;
  if (settings.branch.empty()) {
    return usage_error(
        fmt::format("-after {}: it left its changes uncommitted (-no-commit); commit "
                    "them and start a new job",
                    id));
  }
  if (settings.first_base.empty()) settings.first_base = settings.base;
  if (!job.commit.empty()) {
    settings.branch = job.branch;
    settings.base = job.commit;
    start.place.stays = true;
  }
  start.place.name = settings.branch;
  start.place.base = settings.base;
  if (start.place.stays) PEDRO_RETURN_IF_ERROR(require_branch(repository, id, start.place));
  const LeftBehind left = read_left_behind(context.files, store.folder(id));
  PEDRO_TRY(settings.dirty, dirty_files(options, repository, left.files));
  start.turn.is_new = true;
  return {};
}

// Returns true if the message of the command line continues a finished job.
bool is_later_message(const CommandContext& context, const JobStore& store, const AgentKit& kit) {
  return !context.global.message.empty() && kit.workflow.follow_up &&
         store.brief(context.global.resume).is_finished();
}

// Returns the stored inputs of a resumed job. Later changes of flags and of the work tree have no
// effect.
Result<BuildStart> find_start(CommandContext& context, const BuildOptions& options,
                              const LoadedConfig& config, const Repository& repository,
                              const AgentKit& kit, Http& http) {
  if (!context.global.resume.empty()) {
    PEDRO_TRY(const JobStore store, open_job_store(context));
    PEDRO_TRY(BuildStart given,
              read_build_start(context.files, store.folder(context.global.resume)));
    given.settings.files_share = config.config.context.files_share;
    for (const Check& check : given.checks) {
      if (check.command.find(kMaskedSecret) == std::string::npos) continue;
      return Error{
          ErrorKind::kUsage,
          fmt::format("the check `{}` contains a secret, which is not stored, so the job cannot be "
                      "resumed; start a new one, with the secret in a file that the check reads",
                      check.command)};
    }
    if (is_later_message(context, store, kit)) {
      ++given.turn.number;
      PEDRO_RETURN_IF_ERROR(begin_turn(context, options, repository, given));
    }
    return given;
  }
  BuildStart start;
  PEDRO_TRY(start.settings, read_settings(options, config, repository));
  PEDRO_TRY(start.task,
            read_task(context, options, repository.root(), config.config.git.remote, http));
  start.task.rules = kit.rules;
  return start;
}

// The inputs that do not depend on the place of work.
struct BuildParts {
  LoadedConfig config;
  Trace trace;
  AgentKit kit;
  BuildStart start;
};

// Makes the tree refuse changes that no commit of this repository can contain.
Status refuse_foreign_files(const Repository& repository, WorkTree& tree) {
  std::map<std::string, UnusablePath> paths;
  PEDRO_TRY(const auto submodules, CommitFiles(repository.git()).submodules("HEAD"));
  for (const auto& [path, commit] : submodules) {
    paths[path] = {fmt::format("is in the submodule '{}', a repository of its own, so no commit "
                               "here can contain a change of it",
                               make_printable(path)),
                   true};
  }
  PEDRO_TRY(const auto left_out, repository.left_out_files());
  for (const std::string& path : left_out) {
    paths[path] = {
        "is excluded by the sparse checkout: the repository has this file, but the work "
        "tree does not"};
  }
  tree.refuse(std::move(paths));
  return {};
}

// Completes the setup for `place`. `root`: the user's work tree.
Result<BuildSetup> furnish(CommandContext& context, const BuildOptions& options,
                           const std::string& root, BuildParts parts, WorkPlace& place) {
  const std::string& work_root = place.repository.root();
  PEDRO_TRY(auto files, ConfinedFileSystem::open(work_root));
  PEDRO_TRY(WorkTree tree, WorkTree::open(*files, work_root));
  PEDRO_RETURN_IF_ERROR(refuse_foreign_files(place.repository, tree));
  std::unique_ptr<Sandbox> sandbox;
  std::unique_ptr<Sandbox> check_sandbox;
  if (!options.dry_run) {
    PEDRO_TRY(auto settings, sandbox_settings(context, parts.config.config, work_root));
    const std::vector<std::string>& skills = parts.kit.skill_folders;
    settings.read.insert(settings.read.end(), skills.begin(), skills.end());
    tree.protect(settings.protect);
    for (std::unique_ptr<Sandbox>* one : {&sandbox, &check_sandbox}) {
      PEDRO_TRY(Sandbox opened, Sandbox::open(settings, work_root, context.environment.variables,
                                              sandbox_support()));
      *one = std::make_unique<Sandbox>(std::move(opened));
    }
    warn_of_gaps(*sandbox);
  }
  std::vector<std::string> roots = {root};
  if (work_root != root) roots.push_back(work_root);
  auto secrets = std::make_unique<Secrets>(context, parts.config.config, std::move(roots));
  for (const auto& one : parts.kit.servers) secrets->follow(*one);
  secrets->cover(parts.trace);
  for (std::string& arg : context.global.args) arg = secrets->hide(std::move(arg));
  BuildStart& start = parts.start;
  if (context.global.resume.empty()) {
    start.task.text = secrets->hide(std::move(start.task.text));
    start.task.title = secrets->hide(std::move(start.task.title));
    start.checks = choose_checks(context, options, parts.config, tree);
    if (parts.config.config.git.pre_commit) start.checks.push_back(pre_commit_check());
    if (!options.no_commit) {
      PEDRO_TRY(start.settings.branch,
                choose_branch(options, parts.config, start.task, place.repository));
    }
  }
  return BuildSetup{std::move(start),
                    std::move(parts.config),
                    std::move(parts.trace),
                    std::move(place.own_tree),
                    std::move(place.repository),
                    std::move(place.lock),
                    std::move(files),
                    std::move(tree),
                    std::move(sandbox),
                    std::move(check_sandbox),
                    std::move(parts.kit),
                    std::move(secrets)};
}

}  // namespace

Result<BuildSetup> prepare_build(CommandContext& context, const BuildOptions& options,
                                 LoadedConfig config, Http& http) {
  PEDRO_TRY(const std::string work, work_folder(context, config, options.workdir));
  PEDRO_TRY(Repository repository,
            Repository::open(context.files, context.processes, context.cancel, work));
  const std::string& root = repository.root();
  PEDRO_TRY(Trace trace, make_trace(context.global));
  const bool resumes = !context.global.resume.empty();
  PEDRO_RETURN_IF_ERROR(check_record(context, root));
  PEDRO_RETURN_IF_ERROR(check_push(options, config, repository));
  PEDRO_RETURN_IF_ERROR(check_identity(repository));
  PEDRO_TRY(AgentKit kit, load_agent(context, config, root, options));
  PEDRO_TRY(BuildStart start, find_start(context, options, config, repository, kit, http));
  // Reading the task can take a while. Other jobs are excluded only from here on.
  PEDRO_TRY(WorkPlace place,
            take_work_place(context, options, repository, start.settings.base, start.workdir));
  if (place.lock && !place.own_tree && !resumes) {
    PEDRO_TRY(start.settings, read_settings(options, config, repository));
  } else if (start.turn.is_new) {
    PEDRO_RETURN_IF_ERROR(begin_turn(context, options, repository, start));
  }
  Result<BuildSetup> setup =
      furnish(context, options, root,
              {std::move(config), std::move(trace), std::move(kit), std::move(start)}, place);
  if (!setup) leave_own_tree(context, place.own_tree);
  return setup;
}

std::vector<Check> shown_checks(std::vector<Check> checks, const SecretMask* secrets) {
  for (Check& check : checks) check = shown_check(std::move(check), secrets);
  return checks;
}

}  // namespace pedro
