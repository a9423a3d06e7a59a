#pragma once

#include "command.h"

namespace pedro {

CommandFunction add_eval_toolcalls(CLI::App& command);
CommandFunction add_eval_tasks(CLI::App& command);

/// Maximum size of records of evaluations, in bytes.
inline constexpr std::size_t kMaxEvalBytes = 64u << 20;

}  // namespace pedro
