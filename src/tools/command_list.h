#pragma once

#include <string>
#include <vector>

#include "tools/shell_text.h"

namespace pedro {

/// A command that a shell's line would run.
struct ListedCommand {
  std::vector<ShellWord> argv;  ///< never empty
  /// It only starts others, which stand behind it in the list ("env", "sh -c …"), or it changes
  /// nothing but the shell ("cd"): a rule for all commands does not mean it.
  bool passes_on = false;
  /// The name may stand for another program: PATH or an alias was set.
  bool name_unsure = false;
  /// It is a setting's value that may come to be run (`make CC=gcc`); passes_on is true.
  bool possible = false;

  bool operator==(const ListedCommand&) const = default;
};

/// All commands of a line, those behind wrappers and in nested texts too.
struct CommandList {
  std::vector<ListedCommand> commands;
  /// Why there may be more, of which nothing is known ("eval runs what is not written here"), or
  /// "". At most 300 bytes.
  std::string unread;
};

/// Looks through what starts other commands: env, xargs, sh -c, eval, timeout, sudo, find -exec and
/// the like, at most 16 deep. What find deletes counts as `rm`. Programs that run others by means
/// of their own (a Makefile, a script file) are listed by their own name only.
CommandList list_commands(const std::string& line, ShellDialect dialect);

/// "git push origin", for people; words that are not known as they are written. At most 300 bytes.
std::string shown(const ListedCommand& command);

/// The name of a program without its folder.
std::string_view program_name(std::string_view word);

}  // namespace pedro
