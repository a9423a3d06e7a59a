#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/shell_text.h"

namespace pedro {

/// Returns true if a program runs files of a programming language: "python3.11", "node".
bool is_interpreter(std::string_view name);

/// Returns the reason why an interpreter may run more than a script file: code in an option or a
/// module, a script that is not a regular file, or code from its input. "" if there is none. `argv`
/// begins with the interpreter.
std::string code_for_interpreter(std::string_view name, std::span<const ShellWord> argv);

}  // namespace pedro
