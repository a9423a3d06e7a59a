#pragma once

#include <string>

#include "base/json.h"

namespace pedro {

/// An object schema as a model is shown it: `{"pattern": str (a regex), "directory"?: str, "steps":
/// [{"file": str}]}`. A `?` marks what may be left out. Properties with a `const` are left out:
/// they are said elsewhere. `schema` was accepted by parse_schema, so its depth is bounded.
std::string schema_signature(const Json& schema);

}  // namespace pedro
