#pragma once

#include "command.h"
#include "config/load.h"
#include "llm/server_search.h"

namespace pedro {

/// The kinds of servers that a command can use.
enum class ServerKinds { kAll, kLlamaServer };

/// Returns the addresses at which a server of this machine is expected: that of `pedrocli serve`,
/// then the usual ports.
std::vector<LocalServer> expected_servers(const CommandContext& context);

/// Finds the model's server if no source of settings has an address. Sets the address and the kind
/// to those of the first of expected_servers() that answers. Prints the choice and its reason once,
/// and keeps it in the global flags for later calls and child processes. A configured kind is kept.
/// Error (kModel): none answers; it ends with the command that starts one.
Status find_server(CommandContext& context, LoadedConfig& config, ServerKinds kinds);

}  // namespace pedro
