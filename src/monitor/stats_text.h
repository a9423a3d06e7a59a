#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "monitor/figure_sums.h"

namespace pedro {

/// Tables for a terminal: by model, by phase, by tool; and what stands below all of them.
std::string to_stats_text(const FigureSums& sums);

/// The same for programs: `{total, models, phases, tools}`; tokens are whole numbers, times
/// milliseconds, `cost_usd` null where no model has a price.
Json to_json(const FigureSums& sums);

/// One job, with each of its inferences: `{job, agent, …, inferences, compactions}`.
Json to_json(const JobFigures& job, const KnownModel* model);

}  // namespace pedro
