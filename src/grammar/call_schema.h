#pragma once

#include <span>

#include "base/json.h"
#include "grammar/tool_calls.h"

namespace pedro {

/// The JSON Schema of exactly one call as text has it, {"tool": NAME, "args": ARGS}: an `anyOf`
/// with a branch for each of `calls`. Local references in the arguments' schemas point to their new
/// places. A branch without CallBranch::args_json has any object for its arguments. Keywords that
/// only annotate are left out.
Json call_schema(std::span<const CallBranch> calls);

}  // namespace pedro
