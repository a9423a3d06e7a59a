#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace pedro {

/// One task of a batch file.
struct BatchTask {
  int line = 0;  ///< from 1
  /// Identifies the task independently of its line. Equal tasks have different keys.
  std::string key;
  std::string agent;
  std::string title;                   ///< short description
  std::vector<std::string> arguments;  ///< for this program, starting with the command
  std::string server = {};             ///< the address of the only server for it; "" for any
};

/// Reads the tasks of a file with one JSON object per line. Skips empty lines. "agent" is a command
/// that runs an agent, or the name of an agent in `.pedro/agents` (default: "build"). The other
/// keys are flags of that command. Validates every line as far as possible without starting it.
/// Error (kUsage): "FILE:LINE: problem" for the first twenty invalid lines.
Result<std::vector<BatchTask>> read_batch(CommandContext& context, const std::string& path);

}  // namespace pedro
