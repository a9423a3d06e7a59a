#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/feedback.h"
#include "agent/phase.h"
#include "base/json.h"
#include "chat/chat_request.h"
#include "chat/message.h"
#include "grammar/tool_calls.h"
#include "tools/manifest.h"
#include "tools/registry.h"

namespace pedro {

/// The name of the call that ends a phase. Not a tool: the executor takes it.
inline constexpr std::string_view kPhaseComplete = "phase_complete";

/// Its parameter with the reason why the task is impossible, instead of the phase's output.
inline constexpr const char* kBlocked = "blocked";

/// What a reply of a phase can be, in the order of its grammar: a call of an action of one of its
/// tools, if the phase allows it, or the end of the phase.
std::vector<CallBranch> call_branches(const Registry& registry, const Phase& phase,
                                      Bodies bodies = Bodies::kJson);

/// How a model gets to know its tools.
enum class ToolStyle {
  kDescribed,  ///< by the prompts of phases; calls and results are text
  kDeclared    ///< before the conversation, all of them; see declared_tools()
};

/// All tools of an agent's phases and phase_complete, with the actions that some phase allows.
std::vector<DeclaredTool> declared_tools(const Registry& registry, const Workflow& workflow,
                                         const Feedback& feedback);

/// What a model can call in one phase: some actions of some tools, and the end of the phase. The
/// prompt, the grammar and the check of a call come from the same manifests. Immutable; borrows the
/// registry, the phase and the feedback.
class ToolSet {
 public:
  /// The actions of the phase's tools whose permission it allows. `bodies` is kJson or kRaw.
  ToolSet(const Registry& registry, const Phase& phase, const Feedback& feedback, ToolStyle style,
          Bodies bodies = Bodies::kJson);

  ToolStyle style() const { return style_; }

  /// What one reply can be.
  std::span<const CallBranch> calls() const { return calls_; }

  /// How the model is told to call, in general, and where the long texts of this phase's tools
  /// stand, if not in the arguments.
  std::string how_to_call() const;

  /// What is wrong with a call of a tool, for the model; "" where nothing is.
  std::string check_call(const ToolCall& call) const;

  /// What is wrong with the arguments of phase_complete, for the model; "" where nothing is.
  std::string check_finish(const Json& args) const;

  /// The finishing call as the model is taught to write it.
  std::string describe_finish() const;

  /// The tools for the prompt: named where they are declared. Else actions in `described`
  /// ("search.grep") were taught in an earlier phase and are only named; the others are taught in
  /// full and added to it.
  std::string describe(std::set<std::string>& described) const;

  /// "search, navigate, file".
  std::string names() const;

 private:
  const Manifest* find(std::string_view tool) const;
  std::string names_with_actions() const;
  std::string how_to_write_bodies() const;
  std::string describe_tools(std::set<std::string>& described) const;

  const Phase* phase_;
  const Feedback* feedback_;
  ToolStyle style_;
  std::vector<Manifest> tools_;  // with only the actions of this phase
  std::vector<CallBranch> calls_;
};

}  // namespace pedro
