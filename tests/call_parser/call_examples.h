#pragma once

#include <vector>

#include "base/json.h"
#include "call_parser/call_part.h"

namespace pedro {

/// Converts parts to the JSON of the tables in tests/data/calls: {"tool", "args", "id"} or
/// {"rejected", "place", "expected", "found"}.
Json in_json(const CallPart& part);
Json in_json(const std::vector<CallPart>& parts);

}  // namespace pedro
