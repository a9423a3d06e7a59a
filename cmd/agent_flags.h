#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "command.h"
#include "options.h"

namespace CLI {
class App;
}

namespace pedro {

/// Runs an agent with the model settings of `options`. Returns the exit code.
int run_agent(CommandContext& context, const TaskOptions& options,
              const std::function<Result<int>()>& run);

/// Runs an agent that changes files, with `options`. Returns the exit code.
int run_build_command(CommandContext& context, const BuildOptions& options);

/// Runs an agent that only reads. The output of its last phase is the result. Returns the exit
/// code.
int run_read_command(CommandContext& context, const ReadOptions& options);

/// Runs the agent `blog` with a user's command, whose text is the notes for the post.
Result<int> write_post_from(CommandContext& context, const ReadOptions& options, std::string notes);

/// Adds the flags that limit a job.
void add_limit_flags(CLI::App& command, LimitOptions& options);
/// Adds the flags of all agents.
void add_agent_flags(CLI::App& command, TaskOptions& options);
/// Adds -image.
void add_image_flag(CLI::App& command, TaskOptions& options);
/// Adds the flags of agents that only read.
void add_read_flags(CLI::App& command, ReadOptions& options);
/// Adds the flags of agents that change files, and those of their task.
void add_build_flags(CLI::App& command, BuildOptions& options);

}  // namespace pedro
