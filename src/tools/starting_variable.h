#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/shell_text.h"

namespace pedro {

/// Why a variable that is set for commands may start another program, or read code from elsewhere:
/// "PS4=…", or "PS4" where the value is not known; or "".
std::string unread_variable(std::string_view assignment);

/// What a variable names for others to run ("CC=ccache gcc"), as a command; or "".
std::string_view command_of_variable(std::string_view assignment);

/// Whether git reads its configuration from elsewhere where this variable is set.
bool moves_git_settings(std::string_view variable);

/// Whether a value has something in it that make would replace by what a program prints.
bool has_make_code(std::string_view value);
bool is_make(std::string_view program);

/// What a build is told by words: `make CC=gcc`, `cmake -DCMAKE_C_COMPILER=gcc`.
struct BuildWords {
  std::vector<std::string> commands;  ///< values: any may come to be run
  std::string unread;                 ///< a setting that may run what is not read, or ""
};
BuildWords build_words(std::string_view program, std::span<const ShellWord> argv);

}  // namespace pedro
