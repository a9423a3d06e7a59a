#pragma once

#include "agent/context_keeper.h"
#include "config/load.h"
#include "monitor/usage_watch.h"

namespace pedro {

/// Returns the settings of compaction from the configuration. Errors (kConfig) name the setting and
/// its source.
Result<ContextSettings> context_settings(const LoadedConfig& config);

/// Returns the thresholds of usage warnings. Errors as above.
Result<WarnAt> warn_settings(const LoadedConfig& config);

}  // namespace pedro
