#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/shell_text.h"

namespace pedro {

/// Returns true if a global option of git takes the next word as its value.
bool git_option_has_value(std::string_view option);

/// Returns the reason why a git command may start programs that are not listed as commands: an
/// option, a setting or a URL names one, or the command's purpose is to run others. "" if there is
/// no such sign. `argv` begins with git.
std::string unread_git(std::span<const ShellWord> argv);

/// Returns the equivalent `git push ...` if the command pushes under another name; else empty.
std::vector<ShellWord> as_git_push(std::span<const ShellWord> argv);

}  // namespace pedro
