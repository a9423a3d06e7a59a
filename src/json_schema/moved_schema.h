#pragma once

#include <string>

#include "base/json.h"

namespace pedro {

/// Prepares a schema for use inside another document, at the JSON pointer `pointer`. Prepends the
/// pointer to local references, which are relative to the document's root. Keeps anchors, and parts
/// with an `$id`. Removes the annotations of the root, such as `$schema`, `$id` and `title`.
///
///     outer["properties"]["args"] = moved_schema(schema, "/properties/args");
Json moved_schema(Json schema, const std::string& pointer);

}  // namespace pedro
