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

/// One method of requesting calls.
struct EvalConfiguration {
  std::string name;
  GenerationMode mode = GenerationMode::kGrammar;
  Steering steering = Steering::kAuto;
  Json logit_bias = Json::object();  ///< same format as model.logit_bias
  bool flat_names = false;           ///< "search_grep" instead of "search" with an action
  Bodies bodies = Bodies::kJson;
  bool grounding = false;  ///< restricts names in calls to those in EvalPlan::files
};

/// A request for one call, with the calls that are right answers.
struct EvalTask {
  std::string name;
  std::string phase;   ///< phase of the build agent; determines the offered calls
  std::string prompt;  ///< for the model
  std::string result;  ///< result of any call, for the model
  /// One right answer: a tool's name, and arguments that the call must contain.
  struct Expected {
    std::string tool;
    Json args = Json::object();
  };
  std::vector<Expected> expect;
};

struct EvalPlan {
  std::vector<EvalConfiguration> configurations;
  std::vector<EvalTask> tasks;               ///< all tasks of one conversation, in order
  std::map<std::string, std::string> files;  ///< contents by path, for grounding
};

/// Parses {"configurations": […], "tasks": […]}, with optional "files"; docs/eval.md describes the
/// format. At most 64 configurations and 1000 tasks. Errors (kConfig) begin with `place`.
Result<EvalPlan> read_eval_plan(std::string_view place, std::string_view text);

/// Returns the text of the built-in plan.
std::string_view builtin_eval_plan();

}  // namespace pedro
