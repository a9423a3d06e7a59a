#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/shell_text.h"

namespace pedro {

/// What a program starts that is a command of its own as well: `uv run NAME …`, `find -exec`.
struct StartedCommands {
  std::vector<std::vector<ShellWord>> commands;
  std::string unread;  ///< why there may be more that is not read, or ""
};

/// What stands behind a word of a program's, if it starts that. `name` is the program's, without a
/// folder; `argv` begins with it.
StartedCommands started_by_word(std::string_view name, std::span<const ShellWord> argv);

/// What a program starts for each file that it finds, or all of them.
StartedCommands started_for_files(std::string_view name, std::span<const ShellWord> argv);

/// Whether a program runs what it is given in ways that are not read here, or elsewhere.
bool starts_unread(std::string_view name, std::span<const ShellWord> argv);

}  // namespace pedro
