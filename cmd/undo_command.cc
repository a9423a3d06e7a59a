#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <memory>

#include "base/clock.h"
#include "base/utf8.h"
#include "build_start.h"
#include "command.h"
#include "git/checkpoints.h"
#include "git/ignored_copies.h"
#include "git/work_branch.h"
#include "job/answer_log.h"
#include "sandbox/kept_copy.h"
#include "sandbox/protected_paths.h"
#include "sandbox_setup.h"
#include "sys/folder_lock.h"

namespace pedro {
namespace {

struct UndoOptions {
  std::string job;
  int rounds = 0;
  bool forget = false;
};

/// The changes of an undo.
struct Undone {
  Restored files;
  IgnoredCopies::Restored ignored;
};

std::string told_ignored(const IgnoredCopies::Restored& ignored) {
  std::string text;
  for (const std::string& path : ignored.paths) {
    text += fmt::format("restored, and git ignores it: {}\n", path);
  }
  if (!ignored.replaced.empty()) {
    text += fmt::format("their replaced contents: {}\n", ignored.replaced);
  }
  return text;
}

std::string told(const JobSummary& job, const Undone& undone) {
  const Restored& restored = undone.files;
  const std::string which = restored.rounds == 0
                                ? "before its first round"
                                : fmt::format("after its round {}", restored.rounds);
  std::string text;
  if (restored.files == 0 && restored.shape > 0) {
    text = fmt::format("{}: the files are in their state {}\n", job.id, which);
  } else if (restored.files == 0) {
    text = fmt::format("{}: the files are already in their state {}\n", job.id, which);
  } else {
    text = fmt::format(
        "{}: the files are in their state {}: {} changed in {}\n"
        "the previous state: git -C {} diff {}\n",
        job.id, which, restored.files, job.workdir, job.workdir, restored.kept);
  }
  if (restored.shape > 0) {
    text += fmt::format("{} permissions, empty folders and hard links restored\n", restored.shape);
  }
  for (const std::string& path : restored.submodules) {
    text += fmt::format("but the submodule {} is unchanged: git -C {} submodule update {}\n", path,
                        job.workdir, path);
  }
  return text + told_ignored(undone.ignored);
}

Json to_json(const JobSummary& job, const Undone& undone) {
  Json ignored = Json::array();
  for (const std::string& path : undone.ignored.paths) ignored.push_back(make_printable(path));
  return {{"type", "undo"},
          {"job", job.id},
          {"workdir", job.workdir},
          {"rounds", undone.files.rounds},
          {"files", undone.files.files},
          {"shape", undone.files.shape},
          {"kept", undone.files.kept},
          {"submodules", undone.files.submodules},
          {"ignored", std::move(ignored)},
          {"replaced", undone.ignored.replaced}};
}

int forgotten(const CommandContext& context, const JobSummary& job, int refs) {
  if (context.global.json) {
    print_json({{"type", "forget"}, {"job", job.id}, {"refs", refs}});
  } else {
    print(fmt::format("{}: {} refs removed; git frees their space later\n", job.id, refs));
  }
  return kExitDone;
}

Result<Repository> open_repository(CommandContext& context, const JobSummary& job,
                                   const UndoOptions& options) {
  const bool own = !job.repository.empty();
  const bool gone = context.files.info(job.workdir).kind == FileKind::kMissing;
  if (own && gone && !options.forget) {
    return usage_error(fmt::format(
        "{}: it had its own work tree, which is removed; your files were never touched{}", job.id,
        job.branch.empty() ? "" : ", its work is on branch " + job.branch));
  }
  return Repository::open(context.files, context.processes, context.cancel,
                          own && gone ? job.repository : job.workdir);
}

// Returns the root of the user's repository.
Result<std::string> root_here(CommandContext& context) {
  PEDRO_TRY(const std::string folder, context.files.canonical("."));
  PEDRO_TRY(const Repository here,
            Repository::open(context.files, context.processes, context.cancel, folder));
  return here.root();
}

// Returns the named job, or the newest one, of the repository at `root`.
Result<JobSummary> find_job(const JobStore& store, const std::string& given,
                            const std::string& root) {
  if (given.empty()) {
    PEDRO_TRY(const auto newest, store.list(1, root));
    if (!newest.empty()) return store.load(newest.front().id);
    return usage_error(fmt::format("no job has worked in {}", root));
  }
  PEDRO_TRY(const std::string id, store.find(given));
  Result<JobSummary> job = store.load(id);
  if (!job || job->works_in(root)) return job;
  return usage_error(
      fmt::format("{}: it worked in {}, not in {}: run undo there", id, job->workdir, root));
}

// Restores HEAD if a job ended, or was killed, on its branch.
void step_off(const CommandContext& context, const JobStore& store, const JobSummary& job,
              const Repository& repository) {
  const Result<BuildStart> start = read_build_start(context.files, store.folder(job.id));
  if (!start || !job.repository.empty()) return;
  WorkBranch branch(repository);
  const Result<bool> off = branch.step_off(start->place);
  if (!off) {
    print_note(context.global, "pedrocli: HEAD was not restored: " + off.error().message);
  } else if (*off) {
    print_note(context.global, "pedrocli: HEAD is restored to its state before the job");
  }
}

// Returns true if the files are those from before a job that began at another commit than the
// user's. Its checkpoints have files of that commit. Errors: its rounds need its branch.
Result<bool> is_before_job(const CommandContext& context, const JobStore& store,
                           const JobSummary& job, const Repository& repository, int rounds) {
  const Result<BuildStart> start = read_build_start(context.files, store.folder(job.id));
  if (!start || !job.repository.empty()) return false;
  const BranchPlace place = start->place;
  PEDRO_TRY(const std::string branch, repository.branch());
  if (place.base == place.start_commit || branch == place.name) return false;
  if (rounds == 0) return true;
  return usage_error(fmt::format("{}: it worked at another commit than yours; first: git switch {}",
                                 job.id, place.name));
}

// Returns the end of the job in ns since 1970, or the maximum if it did not end by itself. An
// error, such as a failed checkpoint, may end a job in the middle of a round.
long long end_of(const JobSummary& job) {
  const bool has_report = job.exit_code >= kExitNotVerified;
  const bool has_ended =
      job.state == JobState::kDone || (job.state == JobState::kFailed && has_report);
  const auto ended_ms = has_ended ? from_rfc3339(job.ended) : std::nullopt;
  return ended_ms ? *ended_ms * 1'000'000 : std::numeric_limits<long long>::max();
}

Result<int> undo(CommandContext& context, const UndoOptions& options) {
  PEDRO_TRY(JobStore store, open_job_store(context));
  put_back_copies(context);
  PEDRO_TRY(const std::string root, root_here(context));
  // A job may have been killed during its first checks, before its log.
  remove_left_placeholders(protected_paths(root, {}));
  PEDRO_TRY(const JobSummary job, find_job(store, options.job, root));
  const std::string& id = job.id;
  PEDRO_TRY(const Repository repository, open_repository(context, job, options));
  PEDRO_RETURN_IF_ERROR(FolderLock::take(repository.root()));
  remove_left_placeholders(protected_paths(repository.root(), {}));
  const Checkpoints checkpoints(repository, id, job.checkpoints);
  const IgnoredCopies copies(repository, id);
  if (options.forget) {
    PEDRO_RETURN_IF_ERROR(store.forget_checkpoints(id));
    PEDRO_TRY(const auto dropped, checkpoints.drop(Checkpoints::KeptRefs::kGo));
    return forgotten(context, job, dropped.refs);
  }
  PEDRO_TRY(const bool is_before, is_before_job(context, store, job, repository, options.rounds));
  const long long ended_ns = end_of(job);
  Undone undone;
  // First, since a restored mode would be a later change.
  if (options.rounds == 0) {
    PEDRO_TRY(undone.ignored, copies.restore(ended_ns));
  }
  if (!is_before) {
    const bool has_ended = ended_ns != std::numeric_limits<long long>::max();
    PEDRO_TRY(undone.files, checkpoints.restore(options.rounds, has_ended, ended_ns));
  }
  if (options.rounds == 0) step_off(context, store, job, repository);
  print(context.global.json ? to_line(to_json(job, undone)) + "\n"
                            : make_printable(told(job, undone)));
  return kExitDone;
}

}  // namespace

CommandFunction add_undo_command(CLI::App& command) {
  auto options = std::make_shared<UndoOptions>();
  command.add_option("job", options->job, "The job's id (default: the newest of this repository)");
  CLI::Option* to = command.add_option(
      "--to", options->rounds, "Restore the state after this round (default: 0, before the job)");
  to->check(CLI::Range(0, 1000000));
  command.add_flag("--forget", options->forget, "Change no file: remove the job's checkpoints")
      ->excludes(to);
  return running(undo, options);
}

}  // namespace pedro
