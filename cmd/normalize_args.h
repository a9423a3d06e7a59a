#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace pedro {

/// A long flag: its name without dashes, and whether a value follows it.
struct FlagSpec {
  std::string name;
  bool takes_value = false;
};

/// A command's name, its own flags and the commands below it.
struct CommandSpec {
  std::string name;
  std::vector<FlagSpec> flags;
  std::vector<CommandSpec> commands = {};
};

/// Rewrites Go-style arguments into what CLI11 parses: `-issue 32`, `--issue 32` and `-issue=32`
/// all become `--issue=32`; flags that stand before a command's name are moved behind it;
/// `-debug` without a value becomes `--debug=all`; `-` and what follows `--` stay as they are.
/// Errors (kUsage): a flag that neither `global` nor the command nor the one above it has (with the
/// nearest one), a flag without its value or with an empty one, an unknown command.
Result<std::vector<std::string>> normalize_args(const std::vector<std::string>& args,
                                                const std::vector<FlagSpec>& global,
                                                const std::vector<CommandSpec>& commands);

}  // namespace pedro
