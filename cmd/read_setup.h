#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agent_setup.h"
#include "base/trace.h"
#include "command.h"
#include "config/load.h"
#include "secret_setup.h"
#include "sys/confined_file_system.h"
#include "sys/work_tree.h"
#include "tools/checks.h"

namespace pedro {

/// What an agent works with that only reads, all of it found out without a model. The project need
/// not be a repository.
struct ReadSetup {
  LoadedConfig config;
  Trace trace;
  std::unique_ptr<ConfinedFileSystem> files;  ///< of the work tree
  WorkTree tree;
  AgentKit kit;
  std::vector<Check> checks;         ///< only named to the model: none is run
  std::unique_ptr<Secrets> secrets;  ///< never null
};

/// Reads the project around `options.workdir`, tools and prompts. Errors (kUsage, kConfig): an
/// agent that could change something is one of them.
Result<ReadSetup> prepare_reading(CommandContext& context, const TaskOptions& options);

}  // namespace pedro
