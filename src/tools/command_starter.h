#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/shell_text.h"

namespace pedro {

/// Commands that a program starts, as in `uv run NAME ...` and `find -exec`.
struct StartedCommands {
  std::vector<std::vector<ShellWord>> commands;
  std::string unread;  ///< why further commands may be unread, or ""
};

/// Returns the command after a program's subcommand, if it runs one. `name` is the program without
/// its folder; `argv` begins with it.
StartedCommands started_by_word(std::string_view name, std::span<const ShellWord> argv);

/// Returns the commands that a program runs for each file that it finds, or once for all.
StartedCommands started_for_files(std::string_view name, std::span<const ShellWord> argv);

/// Returns true if a program runs its arguments in a way that is not parsed here, or elsewhere.
bool starts_unread(std::string_view name, std::span<const ShellWord> argv);

}  // namespace pedro
