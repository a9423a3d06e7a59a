#pragma once

#include <string>

#include "command.h"
#include "config/load.h"
#include "sys/sandbox.h"
#include "tools/network_commands.h"

namespace pedro {

/// The sandbox around the work tree at `tree`, as the configuration wants it. Error (kConfig):
/// nothing here can confine commands. They end where they have been idle for as long as the
/// configuration says.
Result<Sandbox> open_sandbox(const CommandContext& context, const Config& config,
                             const std::string& tree);

/// Where it is noted what commands must be hindered from leaving behind, see GuardNote; "" where
/// there is no place for state.
std::string guard_notes_folder(const Environment& environment);

/// Where commands of a model and checks run: inside `sandbox`, and with a network if the
/// configuration names them. Borrows the runner. Error (kConfig): what it names is no command.
Result<NetworkCommands> commands_in(ProcessRunner& sandbox, const Config& config);

/// One line, and one for each gap.
std::string sandbox_text(const Sandbox& sandbox);

/// Says on stderr that it is off, or not as tight as it should be.
void warn_of_gaps(const Sandbox& sandbox);

}  // namespace pedro
