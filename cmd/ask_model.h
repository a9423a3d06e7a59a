#pragma once

#include "command.h"
#include "llm/json_client.h"

namespace pedro {

/// Returns the question on the terminal for one of a server's models; null without a terminal. Asks
/// once: keeps the answer in the global flags, also for child processes. Borrows `context`.
decltype(ServerOptions::ask_model) ask_model_on_terminal(CommandContext& context);

}  // namespace pedro
