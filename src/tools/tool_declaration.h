#pragma once

#include "chat/chat_request.h"
#include "tools/manifest.h"

namespace pedro {

/// Returns the declaration of a tool, for models with native tool calls: the description, one line
/// per action with its parameters, and one schema that accepts the arguments of all actions. Omits
/// limits of lengths, which only prevent damage; a model does not need them. A third party's tool
/// keeps its schema.
DeclaredTool declare(const Manifest& manifest);

}  // namespace pedro
