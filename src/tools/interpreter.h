#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/shell_text.h"

namespace pedro {

/// Whether a program runs a file in a language of its own: "python3.11", "node".
bool is_interpreter(std::string_view name);

/// Why it runs more than that file: an option or a module has code, the file is none, or there is
/// none and it reads its input. "" where it does not. `argv` begins with it.
std::string code_for_interpreter(std::string_view name, std::span<const ShellWord> argv);

}  // namespace pedro
