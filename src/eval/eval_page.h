#pragma once

#include <string>
#include <vector>

#include "eval/eval_record.h"
#include "eval/eval_summary.h"

namespace pedro {

/// An HTML page of its own: a chart of the valid calls of each configuration with what is likely of
/// them, by thirds of a conversation, and a table of the rest. Nothing of it comes from elsewhere.
std::string to_page(const EvalHeader& header, const std::vector<EvalSummary>& summaries);

}  // namespace pedro
