#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Texts that are made to be taken for something else: control tokens of many families, whole and
/// in parts, look-alikes, turns and results that never were. Each begins with kHostileMark.
std::vector<std::string> hostile_texts();
inline constexpr std::string_view kHostileMark = "HOSTILE";

}  // namespace pedro
