#pragma once

#include "command.h"

namespace pedro {

/// The subcommands of `models`.
CommandFunction add_models_load(CLI::App& command);
CommandFunction add_models_unload(CLI::App& command);
CommandFunction add_models_get(CLI::App& command);

}  // namespace pedro
