#pragma once

#include <optional>
#include <string>

#include "agent/checked_tree.h"
#include "agent_job.h"
#include "build_setup.h"
#include "git/checkpoints.h"
#include "sandbox_setup.h"

namespace pedro {

/// Saves the files of a new job and runs its checks for the first time, while the model is opened.
/// Borrows everything; one thread.
///
///     FirstChecks first(context, setup);
///     PEDRO_RETURN_IF_ERROR(first.begin(job));  // then the model is opened
///     PEDRO_TRY(const auto baseline, first.end(job.cancel()));
class FirstChecks {
 public:
  FirstChecks(CommandContext& context, const BuildSetup& setup)
      : context_(context),
        setup_(setup),
        sandboxed_(*setup.check_sandbox),
        run_(setup.repository, setup.settings.base, context.cancel, context.clock) {}

  /// Errors: of the disk; those of the checks' start.
  Status begin(const AgentJob& job);

  /// Returns the outcomes; nullopt if no checks have begun: the log of a resumed job has them.
  Result<std::optional<Baseline>> end(const CancelToken& job);

  /// Restores the files of a job that did not start, which its checks may have changed. Removes the
  /// saved ones.
  void undo();

  /// Takes a checkpoint. The first one is from before the checks.
  Result<std::string> take(int rounds);

  Checkpoints& checkpoints() { return *checkpoints_; }

 private:
  CommandContext& context_;
  const BuildSetup& setup_;
  SandboxRunner sandboxed_;
  std::optional<NetworkCommands> commands_;
  std::optional<Checkpoints> checkpoints_;
  std::string job_;
  std::string saved_;   // commit with the files before the job
  bool taken_ = false;  // by take()
  bool began_ = false;
  BaselineRun run_;
};

}  // namespace pedro
