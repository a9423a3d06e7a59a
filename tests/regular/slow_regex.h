#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>

#include "regular/regex.h"

namespace pedro {

/// Returns true if the pattern matches anywhere in `text`, which must be ASCII. A slow reference
/// engine: backtracking, directly from the definition of each node. Returns nothing if it gives up
/// after `max_steps` nodes, which also bounds the recursion depth.
std::optional<bool> found_slowly(const Regex& regex, std::string_view text,
                                 std::size_t max_steps = std::numeric_limits<std::size_t>::max());

}  // namespace pedro
