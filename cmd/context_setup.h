#pragma once

#include "agent/context_keeper.h"
#include "config/load.h"
#include "monitor/usage_watch.h"

namespace pedro {

/// How a conversation is kept inside the window, as the configuration says it. Errors (kConfig)
/// name the setting and where it is from.
Result<ContextSettings> context_settings(const LoadedConfig& config);

/// From where on a person is told what a job takes; errors as above.
Result<WarnAt> warn_settings(const LoadedConfig& config);

}  // namespace pedro
