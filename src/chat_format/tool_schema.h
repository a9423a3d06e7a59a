#pragma once

#include <string_view>

#include "base/result.h"

namespace pedro {

/// Checks that `json` has the form of a JSON Schema (draft 7): keywords have values of their types.
/// References check this before they show a tool to a model. Does not check that a value can match,
/// targets of references, and patterns. Error (kUsage) names the place: "/properties/x/minLength:
/// expected …".
Status check_tool_schema(std::string_view json);

}  // namespace pedro
