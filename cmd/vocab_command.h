#pragma once

#include "command.h"
#include "command_group.h"

namespace pedro {

/// Subcommands of `vocab`. Results go to stdout, messages to stderr.
CommandFunction add_vocab_list(CLI::App& command);
CommandFunction add_vocab_add(CLI::App& command);
CommandFunction add_vocab_verify(CLI::App& command);

}  // namespace pedro
