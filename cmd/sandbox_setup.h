#pragma once

#include <string>

#include "command.h"
#include "config/load.h"
#include "sandbox/sandbox.h"
#include "tools/network_commands.h"

namespace pedro {

/// The use of a work tree after its commands.
enum class TreeUse {
  kWork,    ///< git runs in it; protects the files that git obeys
  kRemoved  ///< pedrocli removes it, and no git runs in it
};

/// Returns the settings of a sandbox around the work tree at `tree` (canonical). Errors: kConfig
/// for an invalid network command; kUsage if git's configuration cannot be listed.
Result<SandboxSettings> sandbox_settings(const CommandContext& context, const Config& config,
                                         const std::string& tree, TreeUse use = TreeUse::kWork);

/// Opens a sandbox with these settings. Errors: those of sandbox_settings(); kConfig if this
/// machine has no sandbox.
Result<Sandbox> open_sandbox(const CommandContext& context, const Config& config,
                             const std::string& tree, TreeUse use = TreeUse::kWork);

/// Files and network of the program of an MCP server.
struct ServerAccess {
  std::string project;  ///< the project's folder, readable
  std::string folder;   ///< its own folder (canonical), writable
  bool net = false;
  std::vector<std::string> read;   ///< in addition to sandbox.read
  std::vector<std::string> write;  ///< in addition to `folder`
};

/// Opens a sandbox for a program that runs as long as the job. It cannot change the project, so
/// that pedrocli's record of changes stays complete. Errors (kConfig): this machine has no sandbox,
/// or `write` contains the project or pedrocli's own files.
Result<Sandbox> open_server_sandbox(const CommandContext& context, const Config& config,
                                    const ServerAccess& access);

/// Returns the folder for copies of paths that commands must not change (KeptCopy). "" if there is
/// no place for state.
std::string kept_copies_folder(const Environment& environment);

/// Returns the runner for checks and commands of a model. It runs them inside `sandbox`, or with a
/// network if the configuration names them. Borrows `sandbox`. Error (kConfig): a configured entry
/// is not a command.
Result<NetworkCommands> commands_in(ProcessRunner& sandbox, const Config& config);

/// Returns one line about the sandbox, and one for each gap.
std::string sandbox_text(const Sandbox& sandbox);

/// Warns on stderr if the sandbox is off or has gaps.
void warn_of_gaps(const Sandbox& sandbox);

}  // namespace pedro
