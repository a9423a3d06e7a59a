#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "agent/phase.h"
#include "base/json.h"
#include "base/result.h"
#include "chat/generation_mode.h"
#include "llm/steering.h"

namespace pedro {

/// A way to ask for calls.
struct EvalConfiguration {
  std::string name;
  GenerationMode mode = GenerationMode::kGrammar;
  Steering steering = Steering::kAuto;
  Json logit_bias = Json::object();  ///< as model.logit_bias has it
  bool flat_names = false;           ///< "search_grep" instead of "search" with an action
  Bodies bodies = Bodies::kJson;
  bool grounding = false;  ///< names in calls are those of EvalPlan::files
};

/// What a model is asked to do with one call, and what counts as that.
struct EvalTask {
  std::string name;
  std::string phase;   ///< of the build agent: what may be called
  std::string prompt;  ///< for the model
  std::string result;  ///< of whatever it calls, for the model
  /// Any of these is right: a tool's name, and arguments that have to be among the call's.
  struct Expected {
    std::string tool;
    Json args = Json::object();
  };
  std::vector<Expected> expect;
};

struct EvalPlan {
  std::vector<EvalConfiguration> configurations;
  std::vector<EvalTask> tasks;               ///< one conversation has them all, in this order
  std::map<std::string, std::string> files;  ///< texts by path, for grounding
};

/// Reads {"configurations": […], "tasks": […]}; docs/eval.md describes it. `place` names the text
/// in errors (kConfig). At most 64 configurations and 1000 tasks.
Result<EvalPlan> read_eval_plan(std::string_view place, std::string_view text);

/// The text of the plan that the program has with it.
std::string_view builtin_eval_plan();

}  // namespace pedro
