#pragma once

#include <string_view>

#include "base/result.h"

namespace pedro {

/// Whether `json` is a JSON Schema of draft 7 in its form: keywords have values of their types.
/// What a reference examines before it shows a tool to a model. Whether anything fits the schema,
/// where references lead and whether a pattern is one are not looked at. An Error (kUsage) names
/// the place: "/properties/x/minLength: expected …".
Status check_tool_schema(std::string_view json);

}  // namespace pedro
