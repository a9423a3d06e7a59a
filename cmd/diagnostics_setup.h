#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agent/run_diagnostics.h"
#include "agent/run_observer.h"
#include "command.h"
#include "config/load.h"
#include "sandbox/sandbox.h"
#include "sys/scratch_folder.h"

namespace pedro {

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
