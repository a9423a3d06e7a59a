#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/build_run.h"
#include "agent/feedback.h"
#include "agent/phase.h"
#include "agent_setup.h"
#include "base/trace.h"
#include "build_start.h"
#include "command.h"
#include "config/load.h"
#include "git/own_work_tree.h"
#include "git/repository.h"
#include "llm/tool_bias.h"
#include "sandbox/sandbox.h"
#include "secret_setup.h"
#include "sys/confined_file_system.h"
#include "sys/folder_lock.h"
#include "sys/http.h"
#include "sys/work_tree.h"
#include "tools/checks.h"
#include "tools/registry.h"

namespace pedro {

/// The inputs of a build, collected without a model and without changes.
struct BuildSetup : BuildStart {
  LoadedConfig config;
  Trace trace;
  /// The job's work tree with -worktree.
  std::optional<OwnWorkTree> own_tree;
  Repository repository;  ///< the repository of the job's work tree
  /// Locks the work tree against a second job. Empty in a dry run.
  std::optional<FolderLock> lock;
  std::unique_ptr<ConfinedFileSystem> files;  ///< of the work tree
  WorkTree tree;
  /// Runs commands of the model. Null in a dry run.
  std::unique_ptr<Sandbox> sandbox;
  /// Runs checks, with a separate HOME. Files that commands leave in theirs are in no commit and
  /// must not influence checks. Null in a dry run.
  std::unique_ptr<Sandbox> check_sandbox;
  AgentKit kit;
  std::unique_ptr<Secrets> secrets;  ///< never null
};

/// Calls open_agent_project() after rejecting contradictory flags.
Result<LoadedConfig> open_build_project(CommandContext& context, const BuildOptions& options);

/// Reads the repository, the tools, the prompts and finally the task. An issue may require gh, or
/// GitHub over `http`. Errors are caused by the user (kUsage, kConfig). Borrows everything except
/// `config`.
Result<BuildSetup> prepare_build(CommandContext& context, const BuildOptions& options,
                                 LoadedConfig config, Http& http);

/// Masks secrets in checks for output, see shown_check().
std::vector<Check> shown_checks(std::vector<Check> checks, const SecretMask* secrets);

}  // namespace pedro
