#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/shell_text.h"

namespace pedro {

/// Whether an option of git's, in front of its command, takes the next word.
bool git_option_has_value(std::string_view option);

/// Why a command of git's may start programs that no word of it is asked about as a command: an
/// option, a setting or an address names one, or it is what the command is for. "" where nothing
/// says so. `argv` begins with git.
std::string unread_git(std::span<const ShellWord> argv);

/// The same as `git push …`, where a command pushes under another name; else empty.
std::vector<ShellWord> as_git_push(std::span<const ShellWord> argv);

}  // namespace pedro
