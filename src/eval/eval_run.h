#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agent/feedback.h"
#include "agent/narrowed_calls.h"
#include "agent/phase.h"
#include "agent/tool_set.h"
#include "base/clock.h"
#include "base/result.h"
#include "chat/chat_request.h"
#include "eval/eval_plan.h"
#include "eval/eval_record.h"
#include "llm/model.h"
#include "schema_to_gbnf/tool_calls.h"
#include "tools/registry.h"

namespace pedro {

class EvalCalls;

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

/// The calls that each phase of an agent offers, named as a configuration requires. Borrows the
/// registry, the workflow and the feedback.
class EvalCalls {
 public:
  /// `max_text` > 0 limits each string argument to that many characters, to bound random output.
  /// `files`: contents by path, for grounding; the model is assumed to have read them all. Error
  /// (kConfig): the resulting schema is invalid.
  static Result<EvalCalls> make(const Registry& registry, const Workflow& workflow,
                                const Feedback& feedback, const EvalConfiguration& configuration,
                                const ModelInfo& model, int max_text,
                                const std::map<std::string, std::string>& files = {});

  /// Returns the calls of a phase; empty for an unknown phase.
  std::span<const CallBranch> of_phase(const std::string& phase) const;
  /// Returns the names of the phases, in order.
  std::vector<std::string> phases() const;

  /// Returns the tools to declare at the start of the conversation; empty for a model without
  /// native tools.
  const std::vector<DeclaredTool>& declared() const { return declared_; }
  /// Returns the system prompt, trimmed. Errors: those of rendering the template.
  Result<std::string> system_prompt() const;
  /// Returns the tool descriptions for a prompt of a phase. Skips everything in `described` and
  /// adds the rest to it.
  std::string describe(const std::string& phase, std::set<std::string>& described) const;

 private:
  // The calls of a phase, under the names of the configuration.
  struct Offered {
    std::string phase;
    ToolSet tools;
    std::vector<CallBranch> branches;
    std::vector<std::pair<std::string, std::string>> flat;  // names, each with its description line
  };

  EvalCalls() = default;
  Status add_phase(const Registry& registry, const Phase& phase, int max_text);
  void ground(const std::map<std::string, std::string>& files);
  Status add_branch(Offered& offered, const Registry& registry, const CallBranch& call,
                    int max_text);
  const Offered* find(const std::string& phase) const;
  void declare_flat();

  const Workflow* workflow_ = nullptr;
  const Feedback* feedback_ = nullptr;
  ToolStyle style_ = ToolStyle::kDescribed;
  bool flat_ = false;
  Bodies bodies_ = Bodies::kJson;
  // Deques keep the addresses of their elements when the object moves.
  std::deque<Schema> schemas_;
  std::deque<Json> written_;
  std::deque<Offered> offered_;
  std::deque<NarrowedCalls> narrowed_;  // one per element of offered_, with grounding
  std::vector<DeclaredTool> declared_;
};

}  // namespace pedro
