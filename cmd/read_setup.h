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

/// The inputs of an agent that only reads, collected without a model. The project need not be a
/// repository.
struct ReadSetup {
  LoadedConfig config;
  Trace trace;
  std::unique_ptr<ConfinedFileSystem> files;  ///< of the work tree
  WorkTree tree;
  AgentKit kit;
  std::vector<Check> checks;         ///< described to the model, never run
  std::unique_ptr<Secrets> secrets;  ///< never null
};

/// Reads the project of `options.workdir`, tools and prompts. Errors: kUsage; kConfig, also for an
/// agent with permissions to change something.
Result<ReadSetup> prepare_reading(CommandContext& context, const TaskOptions& options);

}  // namespace pedro
