#pragma once

#include "agent/checked_tree.h"
#include "build_setup.h"
#include "command.h"
#include "model_factory.h"

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

}  // namespace pedro
