#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/shell_text.h"

namespace pedro {

/// Whether a cluster of short options ("-xvf") has one of `letters`. Behind one of `valued` the
/// rest of the word is that option's value.
bool has_letter(std::string_view word, std::string_view letters, std::string_view valued);

/// Whether a word names no file but what is read from elsewhere: "-", "-f-", "--file=/dev/stdin".
bool names_no_file(std::string_view word);

/// Why a program may start others that an option of its own names, or "". `name` is the program's,
/// without a folder, or with its command: "git clone". `argv` begins with it.
std::string options_that_start(std::string_view name, std::span<const ShellWord> argv);

}  // namespace pedro
