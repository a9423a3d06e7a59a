#pragma once

#include <string>

#include "monitor/figure_sums.h"

namespace pedro {

// How figures are written for people.

/// "12,345"
std::string count_text(long long count);
/// "≈ 12,345" where it is no exact count
std::string about_text(long long count, bool estimated);
/// "850 ms", "12.3 s", "3 min 20 s", "2 h 5 min"
std::string duration_text(double ms);
/// "37 %"; "-" of nothing
std::string share_text(long long part, long long whole);
/// "$0.0123", "≤ $1.20" where it is at most that, "≥" or "≈" by the same token; "-" of no price
std::string cost_text(const Cost& cost);

}  // namespace pedro
