#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "monitor/figure_sums.h"

namespace pedro {

// Formats figures for human readers.

/// Returns "12,345".
std::string count_text(long long count);
/// Returns "12,345", or "≈ 12,345" for an estimated count.
std::string about_text(long long count, bool estimated);
/// Returns "850 ms", "12.3 s", "3 min 20 s" or "2 h 5 min". `ms`: milliseconds.
std::string duration_text(double ms);
/// Returns "37 %"; "-" if `whole` is not positive.
std::string share_text(long long part, long long whole);
/// Returns "$0.0123"; "≤ $1.20" for an upper bound, "≥" for a lower bound, "≈" for both; "-" for 0.
/// Appends "+ ?" if inferences have no price.
std::string cost_text(const Cost& cost);

/// Formats tables for a terminal, by model, by phase and by tool, and totals below them.
std::string to_stats_text(const FigureSums& sums);

/// Converts sums to `{total, models, phases, tools}`. Tokens are integers, times are in
/// milliseconds. `cost_usd` is null if no inference has a price.
Json to_json(const FigureSums& sums);

/// Converts a job with all its inferences to `{job, agent, …, inferences, compactions}`. `model`
/// may be null.
Json to_json(const JobFigures& job, const KnownModel* model);

}  // namespace pedro
