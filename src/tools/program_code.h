#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/shell_text.h"

namespace pedro {

/// Returns the reason why a program may start others that its command does not name: it gets code
/// in an argument or its input, or an option or setting names a program. "" if there is no such
/// sign. `name` is the program without its folder; `argv` begins with it. Ignores files of the
/// project (docs/policy.md).
std::string unread_code(std::string_view name, std::span<const ShellWord> argv);

}  // namespace pedro
