#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Returns a Makefile or a shell script with the values of its own variables in place of `$(NAME)`,
/// `${NAME}` and `$NAME`. Other variables stay. Stops at 256 KiB.
std::string with_values(std::string_view text);

/// Returns patterns (see Glob) of the files that a Makefile includes. Unknown parts are "*".
/// Omits patterns without a known part.
///
///     included_patterns("-include $(wildcard *.dep) $(OBJS:.o=.d) config.local")
///     -> {"*.dep", "*.d", "**/*.d", "config.local"}
std::vector<std::string> included_patterns(std::string_view text);

}  // namespace pedro
