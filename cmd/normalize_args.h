#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace pedro {

/// A long flag: its name without dashes, and true if it takes a value.
struct FlagSpec {
  std::string name;
  bool takes_value = false;
};

/// A command with its own flags and its subcommands.
struct CommandSpec {
  std::string name;
  std::vector<FlagSpec> flags;
  std::vector<CommandSpec> commands = {};
  bool takes_words = false;  ///< a word that is no subcommand is its argument
};

/// Rewrites Go-style arguments for CLI11. `-issue 32`, `--issue 32` and `-issue=32` become
/// `--issue=32`. Flags before a command's name move after it. `-debug` without a value becomes
/// `--debug=all`. `-` and all words after `--` remain unchanged. Errors (kUsage): an unknown
/// command; a flag with a missing or empty value. Also a flag that neither `global` nor the command
/// nor its parent has, with the most similar one.
Result<std::vector<std::string>> normalize_args(const std::vector<std::string>& args,
                                                const std::vector<FlagSpec>& global,
                                                const std::vector<CommandSpec>& commands);

}  // namespace pedro
