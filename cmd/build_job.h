#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agent/checked_tree.h"
#include "agent/clean_check.h"
#include "agent/run_diagnostics.h"
#include "agent/run_observer.h"
#include "base/cancel.h"
#include "build_setup.h"
#include "command.h"
#include "config/load.h"
#include "model_factory.h"
#include "sandbox/sandbox.h"
#include "sys/scratch_folder.h"

namespace pedro {

/// Returns the work tree with its checks. `commands` runs them until `job` is cancelled. Borrows
/// everything.
CheckedTree checked_tree(const BuildSetup& setup, ProcessRunner& commands, const CancelToken& job,
                         RunObserver& observer, AnswerLog& answers);

/// Sets tries and forms from the habits of the model. Borrows the setup.
void use_habits(BuildSetup& setup, const AnswerHabits& habits);

/// Runs a job that ends with a commit, from its branch to its exit code. Borrows everything.
Result<int> run_build_job(CommandContext& context, BuildSetup& setup, const BuildOptions& options,
                          ServerConnections& connections);

/// Runs checks in a clone of the repository, outside of the project and in a separate sandbox.
/// Submodules have the commits of the tree if these exist locally. Borrows everything.
class CleanRun {
 public:
  /// `job_id` names the folder of the clone, which is removed after each run.
  CleanRun(CommandContext& context, const BuildSetup& setup, std::string job_id,
           const CancelToken& cancel)
      : context_(context), setup_(setup), job_id_(std::move(job_id)), cancel_(cancel) {}

  /// Runs the checks on a clean checkout; see CleanRunner.
  Result<std::vector<CheckOutcome>> run(const CleanRequest& request);

 private:
  Result<std::vector<CheckOutcome>> run_in(const Repository& checkout, const CleanRequest& request);
  Status take_from_base(const Repository& own, const std::string& base,
                        const std::set<std::string>& paths) const;
  Result<bool> edit_tests(const std::string& root, const CleanRequest& request) const;
  void fill_submodules(const std::string& root, const std::string& commit) const;

  CommandContext& context_;
  const BuildSetup& setup_;
  std::string job_id_;
  const CancelToken& cancel_;
};

/// The diagnostics of a job: checks of edits, and the sandboxes of language servers, which cannot
/// change the project. Borrows everything.
class DiagnosticsSetup {
 public:
  /// `commands` runs the checks. `root` is the project.
  DiagnosticsSetup(CommandContext& context, const LoadedConfig& config, std::string root,
                   ProcessRunner& commands, RunObserver& observer);
  DiagnosticsSetup(const DiagnosticsSetup&) = delete;
  DiagnosticsSetup& operator=(const DiagnosticsSetup&) = delete;

  /// Returns null if the user has turned diagnostics off.
  RunDiagnostics* get() { return diagnostics_.get(); }
  /// Returns the language servers for `search references`, or null as get().
  ReferenceFinder* references() { return servers_.get(); }

 private:
  struct Place {
    ScratchFolder folder;
    std::unique_ptr<Sandbox> sandbox;
    std::unique_ptr<SandboxRunner> runner;
  };

  Result<ProcessRunner*> place_for(const diagnostics::ServerRow& row);

  CommandContext& context_;
  const Config& config_;
  std::string root_;
  std::vector<Place> places_;
  std::unique_ptr<diagnostics::LanguageServers> servers_;  // end before their places
  std::unique_ptr<RunDiagnostics> diagnostics_;
};

}  // namespace pedro
