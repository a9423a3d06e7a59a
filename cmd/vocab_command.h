#pragma once

#include "command.h"
#include "command_group.h"

namespace pedro {

/// The commands below `vocab`. What they are asked for goes to stdout, all else to stderr.
CommandFunction add_vocab_list(CLI::App& command);
CommandFunction add_vocab_add(CLI::App& command);
CommandFunction add_vocab_verify(CLI::App& command);

}  // namespace pedro
