#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// A path in a shell command.
struct CommandPath {
  std::string path;         ///< absolute and normal
  bool is_program = false;  ///< the first word of a simple command, with a slash
};

/// Returns the paths that the words of the shell command `text` can name, run in `folder`. Expands
/// "~/", $HOME and the usual forms of the repository's root; reads other variables as empty.
/// Follows `cd` and commands in quotes.
std::vector<CommandPath> paths_in_command(std::string_view text, const std::string& folder,
                                          const std::string& home);

/// Expands "~/" and "$HOME/" at the start of a path.
std::string expanded_home(std::string_view path, const std::string& home);

}  // namespace pedro
