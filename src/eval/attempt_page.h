#pragma once

#include <string>

#include "eval/attempt_record.h"

namespace pedro {

/// An HTML page of its own: a chart of the solved tasks by kind, a table of that, and one of all
/// attempts. Nothing of it comes from elsewhere.
std::string to_page(const AttemptRecord& record);

}  // namespace pedro
