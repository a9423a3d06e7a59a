#pragma once

#include "command.h"
#include "config/load.h"

namespace pedro {

/// The kinds of servers that a command can use.
enum class ServerKinds { kAll, kLlamaServer };

/// Finds the model's server if no source of settings has an address. Sets the address and the kind
/// to those of one that answers on a usual port of this machine (find_local_servers()). Prints the
/// choice and its reason once, and keeps it in the global flags for later calls and child
/// processes. Keeps the default address if no server answers. A configured kind is kept.
void find_server(CommandContext& context, LoadedConfig& config, ServerKinds kinds);

}  // namespace pedro
