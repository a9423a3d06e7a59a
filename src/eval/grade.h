#pragma once

#include <span>
#include <string>
#include <string_view>

#include "eval/eval_plan.h"
#include "llm/model.h"
#include "schema_to_gbnf/tool_calls.h"

namespace pedro {

/// The defect of a reply, in the order of the checks.
enum class CallFailure {
  kNone,           ///< exactly one call, and it fits its schema
  kCut,            ///< the reply ended at a limit
  kNoCall,         ///< no call
  kMany,           ///< more than one call, or text besides the call
  kUnknownTool,    ///< the phase does not have the tool
  kMissingAction,  ///< the action is missing or unknown
  kBadArgument,    ///< the arguments violate the action's schema
  kFailed,         ///< no reply: the server failed, or the conversation filled the context window
};
/// Returns "", "cut", "no call", "many calls", "unknown tool", "missing action", "bad argument" or
/// "failed".
std::string_view to_string(CallFailure failure);
/// Returns the failure of a name from to_string(), and kNoCall for any other text.
CallFailure parse_call_failure(std::string_view text);

struct Grade {
  CallFailure failure = CallFailure::kNone;
  bool right = false;     ///< the call is one that the task expects
  bool repaired = false;  ///< the arguments fit only after repair_value()
};

/// Grades a reply. `flat`: tool names contain the actions.
Grade grade(const Reply& reply, std::span<const CallBranch> calls, const EvalTask& task, bool flat);

}  // namespace pedro
