#include "first_checks.h"

#include <fmt/format.h>

#include <limits>

#include "git/ignored_copies.h"

namespace pedro {
namespace {

constexpr double kQuietSeconds = 1;

}  // namespace

Status FirstChecks::begin(const AgentJob& job) {
  job_ = job.id();
  checkpoints_.emplace(setup_.repository, job_);
  if (!context_.global.resume.empty()) return {};
  PEDRO_TRY(const std::string head, setup_.repository.commit_id());
  if (Status stored = IgnoredCopies(setup_.repository, job_).store(); !stored) {
    return stored.error().at("cannot save the ignored files before the job, for undo");
  }
  if (head != setup_.settings.base) {  // the job's branch has other files
    setup_.repository.add_rules_of(head);
    return {};
  }
  Result<std::string> saved = checkpoints_->take(setup_.settings.base, 0);
  if (!saved) return saved.error().at("cannot save the files before the job, for undo");
  saved_ = *std::move(saved);
  PEDRO_RETURN_IF_ERROR(
      keep_unstarted(context_.files, job.folder(), setup_.repository.root(), saved_));
  PEDRO_TRY(NetworkCommands commands, commands_in(sandboxed_, setup_.config.config));
  commands_.emplace(std::move(commands));
  began_ = true;
  return run_.begin(setup_.checks, setup_.tree, *commands_,
                    setup_.config.config.limits.check_timeout_seconds);
}

Result<std::optional<Baseline>> FirstChecks::end(const CancelToken& job) {
  if (!began_) return std::optional<Baseline>();
  if (!run_.wait(kQuietSeconds)) {
    print_note(context_.global, "the model is ready; waiting for the checks before the work");
  }
  PEDRO_TRY(Baseline baseline, run_.end(job));
  setup_.secrets->files().look();  // the checks may have created files with secrets
  return std::optional(std::move(baseline));
}

void FirstChecks::undo() {
  if (!began_) return;
  run_.stop();
  const CancelToken none;  // Ctrl-C must not stop it
  const Repository repository = setup_.repository.with_cancel(none);
  const Checkpoints saved(repository, job_, {{0, saved_}});
  const auto ignored =
      IgnoredCopies(repository, job_).restore(std::numeric_limits<long long>::max());
  const Result<Restored> restored = saved.restore(0);
  if (!restored || !ignored) {
    print_note(context_.global,
               fmt::format("pedrocli: warning: {}; the files from before the job are in commit {}",
                           (restored ? ignored.error() : restored.error()).message, saved_));
    return;
  }
  if (!restored->kept.empty()) {
    print_note(context_.global,
               fmt::format("pedrocli: the checks had changed {} files, which are restored; the "
                           "previous state: git diff {}",
                           restored->files, restored->kept));
  }
  (void)saved.drop(Checkpoints::KeptRefs::kStay);
}

Result<std::string> FirstChecks::take(int rounds) {
  if (!saved_.empty() && !std::exchange(taken_, true)) return saved_;
  return checkpoints_->take(setup_.settings.base, rounds);
}

}  // namespace pedro
