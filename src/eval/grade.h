#pragma once

#include <span>
#include <string>
#include <string_view>

#include "eval/eval_plan.h"
#include "grammar/tool_calls.h"
#include "llm/model.h"

namespace pedro {

/// What is wrong with a reply, in the order in which it is looked for.
enum class CallFailure {
  kNone,           ///< exactly one call, and it fits its schema
  kCut,            ///< at a limit
  kNoCall,         ///< none in it
  kMany,           ///< more than one
  kUnknownTool,    ///< of a tool that the phase does not have
  kMissingAction,  ///< without the action, or with one that there is not
  kBadArgument,    ///< what the action's schema does not allow
};
/// "", "cut", "no call", "many calls", "unknown tool", "missing action", "bad argument"
std::string_view to_string(CallFailure failure);
/// kNoCall of another text.
CallFailure parse_call_failure(std::string_view text);

struct Grade {
  CallFailure failure = CallFailure::kNone;
  bool right = false;  ///< it is one of the calls that the task expects
};

/// `flat`: names have the actions in them.
Grade grade(const Reply& reply, std::span<const CallBranch> calls, const EvalTask& task, bool flat);

}  // namespace pedro
