#pragma once

#include <string>

#include "command_page.h"

namespace pedro {

/// Writes the manual page of a command in section 1, as roff with the macros of man(7). `program`
/// is the page of the program, which has the flags of every command.
std::string man_page(const CommandPage& page, const CommandPage& program);

}  // namespace pedro
