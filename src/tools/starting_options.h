#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/shell_text.h"

namespace pedro {

/// Returns true if a cluster of short options ("-xvf") contains one of `letters`. The rest of the
/// word after one of `valued` is that option's value.
bool has_letter(std::string_view word, std::string_view letters, std::string_view valued);

/// Returns true if a word names standard input, a device or a file of /proc: "-", "-f-",
/// "--file=/dev/stdin". Excludes /dev/null.
bool names_no_file(std::string_view word);

/// Returns the reason why an option of a program may start another program, or "". `name` is the
/// program without its folder, possibly with a subcommand: "git clone". `argv` begins with the
/// program.
std::string options_that_start(std::string_view name, std::span<const ShellWord> argv);

}  // namespace pedro
