#pragma once

#include <string>

#include "eval/attempt_record.h"

namespace pedro {

/// Renders a self-contained HTML page: a chart and a table of solved tasks by kind, and a table of
/// all attempts.
std::string to_page(const AttemptRecord& record);

}  // namespace pedro
