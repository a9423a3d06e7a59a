#pragma once

#include <span>

#include "base/json.h"
#include "schema_to_gbnf/tool_calls.h"

namespace pedro {

/// The JSON Schema of exactly one call in its text form, {"tool": NAME, "args": ARGS}. It is an
/// `anyOf` with a branch for each of `calls`. Local references in the argument schemas point to
/// their new locations. A branch without CallBranch::args_json accepts any object as arguments.
/// Annotation keywords of the arguments and pedrocli's own keywords are omitted.
Json call_schema(std::span<const CallBranch> calls);

}  // namespace pedro
