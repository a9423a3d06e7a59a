#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "monitor/figure_sums.h"

namespace pedro {

/// Formats tables for a terminal, by model, by phase and by tool, and totals below them.
std::string to_stats_text(const FigureSums& sums);

/// Converts sums to `{total, models, phases, tools}`. Tokens are integers, times are in
/// milliseconds. `cost_usd` is null if no inference has a price.
Json to_json(const FigureSums& sums);

/// Converts a job with all its inferences to `{job, agent, …, inferences, compactions}`. `model`
/// may be null.
Json to_json(const JobFigures& job, const KnownModel* model);

}  // namespace pedro
