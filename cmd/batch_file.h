#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace pedro {

/// One line of a batch.
struct BatchTask {
  int line = 0;  ///< from 1
  /// The same for the same task wherever it stands; of equal tasks each has its own.
  std::string key;
  std::string agent;
  std::string title;                   ///< what it is about, in a few words
  std::vector<std::string> arguments;  ///< of this program, the command first
};

/// The tasks of a file that has a JSON object on each line; empty lines are passed over. "agent" is
/// a command that runs an agent, or the name of one in `.pedro/agents` ("build" where it is left
/// out), the other keys are that command's flags. Every line is checked as far as that can be done
/// without starting it. Error (kUsage): "FILE:LINE: what is wrong" for the first twenty lines that
/// are.
Result<std::vector<BatchTask>> read_batch(CommandContext& context, const std::string& path);

}  // namespace pedro
