#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Texts that imitate control structures: control tokens of many families, whole and in parts,
/// look-alikes, invented turns and results. Each begins with kHostileMark.
std::vector<std::string> hostile_texts();
inline constexpr std::string_view kHostileMark = "HOSTILE";

}  // namespace pedro
