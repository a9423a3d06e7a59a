#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Returns a program that does its work and then reports a failure, at each place where it ends
/// itself. A check that passes with it ends earlier, in the sources that it tests. Returns "" for
/// other languages than C, C++, Java, JavaScript, Lua, Perl, Python, Ruby and shell.
///
///     failing_end("t.sh", "f 1 || exit 2\nexit 0\n")  // "f 1 || exit 1\nexit 1\n\nexit 1\n"
std::string failing_end(std::string_view path, std::string_view text);

}  // namespace pedro
