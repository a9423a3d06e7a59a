#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "base/text_pattern.h"

namespace pedro {

/// The events at which a user's commands run. Names and JSON are those of other agents, except for
/// PhaseStart.
enum class HookEvent {
  kSessionStart,      ///< a job begins
  kUserPromptSubmit,  ///< the task, before the first request
  kPhaseStart,
  kPreToolUse,
  kPostToolUse,
  kPreCompact,
  kPostCompact,
  kStop,        ///< the model ends a phase
  kSessionEnd,  ///< a job ends
};
std::string_view to_string(HookEvent event);
/// Returns false for events at which a hook only listens.
bool can_block(HookEvent event);

/// A command of the user for an event.
struct Hook {
  HookEvent event = HookEvent::kPreToolUse;
  std::shared_ptr<const TextPattern> matcher = nullptr;  ///< of the whole subject; null: any
  std::string command;                                   ///< for `sh -c`
  double timeout_s = 60;
};

/// Reads an object `hooks`: `{"PreToolUse": [{"matcher": "Bash|Edit", "hooks": [{"type":
/// "command", "command": "...", "timeout": 60}]}]}`. Ignores events that only other agents have.
/// Errors (kConfig): "PLACE: hooks: EVENT: ..."; more than 64 hooks; a timeout outside of 1 to 600.
Result<std::vector<Hook>> read_hooks(std::string_view place, const Json& hooks);

}  // namespace pedro
