#pragma once

#include <deque>
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
#include "chat/chat_request.h"
#include "eval/eval_plan.h"
#include "grammar/tool_calls.h"
#include "llm/model.h"
#include "tools/registry.h"

namespace pedro {

/// What an agent's phases can call, as a configuration names it. Borrows what it is made of.
class EvalCalls {
 public:
  /// `max_text` above 0: no text in arguments may be longer, so that noise comes to an end. Error
  /// (kConfig): a schema cannot be read then. `files`: texts by path, for grounding; the model has
  /// seen all of them.
  static Result<EvalCalls> make(const Registry& registry, const Workflow& workflow,
                                const Feedback& feedback, const EvalConfiguration& configuration,
                                const ModelInfo& model, int max_text,
                                const std::map<std::string, std::string>& files = {});

  /// None for a phase that there is not.
  std::span<const CallBranch> of_phase(const std::string& phase) const;
  /// The phases there are, in order.
  std::vector<std::string> phases() const;

  /// The tools for the beginning of the conversation; none where the model has no tools of its own.
  const std::vector<DeclaredTool>& declared() const { return declared_; }
  /// The rules at its beginning.
  Result<std::string> system_prompt() const;
  /// The tools for a prompt of a phase; what is in `described` is known already, the rest is added
  /// to it.
  std::string describe(const std::string& phase, std::set<std::string>& described) const;

 private:
  // A phase's calls under their names.
  struct Offered {
    std::string phase;
    ToolSet tools;
    std::vector<CallBranch> branches;
    std::vector<std::pair<std::string, std::string>> flat;  // names, with a line that teaches each
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
  // Which stay in their places, also when all of it is moved.
  std::deque<Schema> schemas_;
  std::deque<Json> written_;
  std::deque<Offered> offered_;
  std::deque<NarrowedCalls> narrowed_;  // of offered_, with grounding
  std::vector<DeclaredTool> declared_;
};

}  // namespace pedro
