#pragma once

#include "command.h"

namespace pedro {

/// `mcp login SERVER`: signs in through a browser and stores the token.
CommandFunction add_mcp_login(CLI::App& command);

/// `mcp logout SERVER`: removes the stored token.
CommandFunction add_mcp_logout(CLI::App& command);

}  // namespace pedro
