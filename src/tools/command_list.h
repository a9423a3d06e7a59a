#pragma once

#include <string>
#include <vector>

#include "tools/shell_text.h"

namespace pedro {

/// A command that a shell line would run.
struct ListedCommand {
  std::vector<ShellWord> argv;  ///< never empty
  /// Only starts other commands, which follow in the list ("env", "sh -c ..."), or only changes the
  /// shell ("cd"). Rules for all commands exclude it.
  bool passes_on = false;
  /// The name may refer to another program: PATH was set, or an alias.
  bool name_unsure = false;
  /// A setting's value that may be run later (`make CC=gcc`). `passes_on` is true then.
  bool possible = false;

  bool operator==(const ListedCommand&) const = default;
};

/// All commands of a line, including those in wrappers and nested texts.
struct CommandList {
  std::vector<ListedCommand> commands;
  /// The reason why the list may be incomplete ("eval runs commands from elsewhere"), or "". At
  /// most 300 bytes.
  std::string unread;
};

/// Lists the commands of a line. Follows programs that start others: env, xargs, sh -c, eval,
/// timeout, sudo, find -exec and similar, at most 16 levels deep. `find -delete` counts as `rm`.
/// Programs that run others through files (a Makefile, a script) are listed only by their own name.
CommandList list_commands(const std::string& line, ShellDialect dialect);

/// Returns the command as text for the user: "git push origin". Unknown words are shown verbatim.
/// At most 300 bytes.
std::string shown(const ListedCommand& command);

/// Returns the name of a program without its folder.
std::string_view program_name(std::string_view word);

}  // namespace pedro
