#pragma once

#include <cstddef>
#include <string_view>

namespace pedro {

/// Returns the number of places where a source decides by the program that runs it. The values are
/// its name, the main module, and the callers on the stack. A decision compares one, searches it,
/// uses it as a key, or reads its file. Printing it, passing it on, or asking if there is one is no
/// decision. Nor is comparing it with the source's own file, as a main guard does.
///
/// Follows the value into variables, and into parameters of the source's own functions.
///
///     runner_decisions("a.py", "if 'test' in sys.argv[0]: x()")  // 1
///     runner_decisions("a.py", "print('usage:', sys.argv[0])")   // 0
std::size_t runner_decisions(std::string_view path, std::string_view text);

}  // namespace pedro
