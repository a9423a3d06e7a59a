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

/// The inputs of one conversation of an evaluation. All references are borrowed.
struct EvalRun {
  Model& model;  ///< open, without a conversation
  const EvalCalls& calls;
  const EvalConfiguration& configuration;
  const EvalPlan& plan;
  const Clock& clock;
  std::string model_name;
  bool has_tools = false;
  double temperature = 0.2;
  long long max_tokens = 4096;  ///< limit of one reply
  int number = 1;               ///< number of the conversation, from 1
  /// Receives each call; may be null. An Error ends the run.
  std::function<Status(const EvalCall& call)> on_call = nullptr;
};

/// Requests all tasks in order, in one conversation. Grades each reply and answers each call with
/// the task's result; invalid replies do not end the run. An error of the model or of its server is
/// the last call, with its reason. Errors: kInterrupted; invalid biases or prompts.
Result<std::vector<EvalCall>> run_eval(const EvalRun& run);

}  // namespace pedro
