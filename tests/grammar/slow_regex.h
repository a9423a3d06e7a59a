#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>

#include "grammar/regex.h"

namespace pedro {

/// Whether the pattern is found anywhere in `text`, which is ASCII. The slow, obvious engine:
/// backtracking, straight from the meaning of each node. Nothing where it gives up after
/// `max_steps` nodes, which also bounds how deep it recurses.
std::optional<bool> found_slowly(const Regex& regex, std::string_view text,
                                 std::size_t max_steps = std::numeric_limits<std::size_t>::max());

}  // namespace pedro
