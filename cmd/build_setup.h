#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/build_run.h"
#include "agent/feedback.h"
#include "agent/own_work_tree.h"
#include "agent/phase.h"
#include "agent/repository.h"
#include "agent_setup.h"
#include "base/trace.h"
#include "command.h"
#include "config/load.h"
#include "llm/tool_bias.h"
#include "secret_setup.h"
#include "sys/confined_file_system.h"
#include "sys/folder_lock.h"
#include "sys/http.h"
#include "sys/sandbox.h"
#include "sys/work_tree.h"
#include "tools/checks.h"
#include "tools/registry.h"

namespace pedro {

/// What a build works with, all of it found out without a model and without touching anything.
struct BuildSetup {
  LoadedConfig config;
  Trace trace;
  /// Of a job with -worktree: where it works.
  std::optional<OwnWorkTree> own_tree;
  Repository repository;  ///< that the job works in
  /// On the work tree: two jobs in one would mix their work. A dry run has none.
  std::optional<FolderLock> lock;
  std::unique_ptr<ConfinedFileSystem> files;  ///< of the work tree
  WorkTree tree;
  /// For commands of the model; null: a dry run has none.
  std::unique_ptr<Sandbox> sandbox;
  /// For checks, with a HOME of its own: what commands leave in theirs is in no commit, and must
  /// not make checks pass. Null as above.
  std::unique_ptr<Sandbox> check_sandbox;
  AgentKit kit;
  std::vector<Check> checks;
  BuildTask task;
  BuildSettings settings;
  std::unique_ptr<Secrets> secrets;  ///< never null
};

/// open_agent_project(), where the flags do not contradict each other.
Result<AgentProject> open_build_project(CommandContext& context, const BuildOptions& options);

/// Reads repository, tools, prompts and last the task: an issue may be asked of gh and of GitHub
/// over `http`. Errors are the user's to mend (kUsage, kConfig). Borrows everything but `project`.
Result<BuildSetup> prepare_build(CommandContext& context, const BuildOptions& options,
                                 AgentProject project, Http& http);

/// As they may be shown, see shown_check().
std::vector<Check> shown_checks(std::vector<Check> checks, const SecretMask* secrets);

}  // namespace pedro
