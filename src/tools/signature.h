#pragma once

#include <string>

#include "base/json.h"
#include "chat/chat_request.h"
#include "tools/manifest.h"

namespace pedro {

/// Returns the short form of an object schema for a model: `{"pattern": str (a regex),
/// "directory"?: str, "steps": [{"file": str}]}`. A `?` marks optional properties. Omits properties
/// with a `const`, which are described elsewhere. Requires a schema accepted by parse_schema(), so
/// its depth is bounded.
std::string schema_signature(const Json& schema);

/// Returns the declaration of a tool, for models with native tool calls. It has the description,
/// one line per action with its parameters, and one schema that accepts arguments of all actions.
/// Omits limits of lengths, which only prevent damage; a model does not need them. A third party's
/// tool keeps its schema.
DeclaredTool declare(const Manifest& manifest);

}  // namespace pedro
