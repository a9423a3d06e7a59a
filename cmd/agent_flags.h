#pragma once

#include <functional>

#include "base/result.h"
#include "command.h"
#include "options.h"

namespace CLI {
class App;
}

namespace pedro {

/// Runs an agent with what the flags say of its model; the exit code.
int run_agent(CommandContext& context, const TaskOptions& options,
              const std::function<Result<int>()>& run);

/// The flags that say what a job may take.
void add_limit_flags(CLI::App& command, LimitOptions& options);
/// The flags that all agents take.
void add_agent_flags(CLI::App& command, TaskOptions& options);
/// The flags that agents take which only read.
void add_read_flags(CLI::App& command, ReadOptions& options);
/// The flags that agents take which change files; of these and of what the task is.
void add_build_flags(CLI::App& command, BuildOptions& options);

}  // namespace pedro
