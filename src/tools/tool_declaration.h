#pragma once

#include "chat/chat_request.h"
#include "tools/manifest.h"

namespace pedro {

/// A tool for models that have tools declared to them: what `manifest` says of it, a line for each
/// action with the names of its parameters, and one schema that the arguments of all actions fit.
/// Limits of lengths are left out: they are against harm, and nothing a model has to know.
DeclaredTool declare(const Manifest& manifest);

}  // namespace pedro
