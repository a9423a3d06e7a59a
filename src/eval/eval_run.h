#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "eval/eval_calls.h"
#include "eval/eval_plan.h"
#include "eval/eval_record.h"
#include "llm/model.h"

namespace pedro {

/// One conversation of an evaluation; all borrowed.
struct EvalRun {
  Model& model;  ///< opened, and without a conversation so far
  const EvalCalls& calls;
  const EvalConfiguration& configuration;
  const EvalPlan& plan;
  const Clock& clock;
  std::string model_name;
  bool has_tools = false;
  double temperature = 0.2;
  long long max_tokens = 4096;                                  ///< of one reply
  int number = 1;                                               ///< which one
  std::function<void(const EvalCall& call)> on_call = nullptr;  ///< hears of each; may be null
};

/// Asks for one task after the other in one conversation, whatever comes: each reply is graded, and
/// a call is answered with the task's result. Errors are the model's.
Result<std::vector<EvalCall>> run_eval(const EvalRun& run);

}  // namespace pedro
