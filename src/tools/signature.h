#pragma once

#include <string>

#include "base/json.h"

namespace pedro {

/// Returns the short form of an object schema for a model: `{"pattern": str (a regex),
/// "directory"?: str, "steps": [{"file": str}]}`. A `?` marks optional properties. Omits properties
/// with a `const`, which are described elsewhere. Requires a schema accepted by parse_schema(), so
/// its depth is bounded.
std::string schema_signature(const Json& schema);

}  // namespace pedro
