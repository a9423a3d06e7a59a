#pragma once

#include <string>
#include <vector>

#include "eval/attempt_record.h"
#include "eval/eval_record.h"
#include "eval/eval_summary.h"

namespace pedro {

/// Renders a self-contained HTML page. A chart has valid calls by configuration, with 95% intervals
/// and thirds of a conversation. A table has the other figures.
std::string to_page(const EvalHeader& header, const std::vector<EvalSummary>& summaries);

/// Renders a self-contained HTML page. It has a chart and a table of solved tasks by kind, and a
/// table of all attempts.
std::string to_page(const AttemptRecord& record);

}  // namespace pedro
