#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/shell_text.h"

namespace pedro {

/// Returns the reason why a variable set for commands may start another program, or read code from
/// elsewhere; or "". Accepts "PS4=...", or "PS4" for an unknown value.
std::string unread_variable(std::string_view assignment);

/// Returns the command in a variable that other programs run ("CC=ccache gcc"); or "".
std::string_view command_of_variable(std::string_view assignment);

/// Returns true if the variable changes the location of git's configuration.
bool moves_git_settings(std::string_view variable);

/// Returns true if make may replace a part of the value by the output of a program.
bool has_make_code(std::string_view value);
bool is_make(std::string_view program);

/// Settings of a build in arguments: `make CC=gcc`, `cmake -DCMAKE_C_COMPILER=gcc`.
struct BuildWords {
  std::vector<std::string> commands;  ///< values; any of them may be run
  std::string unread;                 ///< a setting that may run an unread command, or ""
};
BuildWords build_words(std::string_view program, std::span<const ShellWord> argv);

}  // namespace pedro
