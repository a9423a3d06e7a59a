#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/shell_text.h"

namespace pedro {

/// Why a program may start others that no word of its command names: it is given code in a language
/// of its own, reads some from its input, or an option or setting names a program. "" where nothing
/// says so. `name` is the program's, without a folder; `argv` begins with it. What stands in files
/// of a project is not asked about (docs/policy.md).
std::string unread_code(std::string_view name, std::span<const ShellWord> argv);

}  // namespace pedro
