#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/feedback.h"
#include "agent/phase.h"
#include "base/json.h"
#include "chat/message.h"
#include "grammar/tool_calls.h"
#include "tools/manifest.h"
#include "tools/registry.h"

namespace pedro {

/// The name of the call that ends a phase. Not a tool: the executor takes it.
inline constexpr std::string_view kPhaseComplete = "phase_complete";

/// What a reply of a phase can be, in the order of its grammar: a call of an action of one of its
/// tools, if the phase allows it, or the end of the phase.
std::vector<CallBranch> call_branches(const Registry& registry, const Phase& phase);

/// What a model can call in one phase: some actions of some tools, and the end of the phase. The
/// prompt, the grammar and the check of a call come from the same manifests. Immutable; borrows the
/// registry, the phase and the feedback.
class ToolSet {
 public:
  /// The actions of the phase's tools whose permission it allows.
  ToolSet(const Registry& registry, const Phase& phase, const Feedback& feedback,
          CallGrammars& grammars);

  /// The GBNF of one reply: one call of one action, or phase_complete.
  const std::string& grammar() const { return grammar_; }

  /// What is wrong with a call of a tool, for the model; "" where nothing is.
  std::string check_call(const ToolCall& call) const;

  /// What is wrong with the arguments of phase_complete, for the model; "" where nothing is.
  std::string check_finish(const Json& args) const;

  /// The finishing call as the model is taught to write it.
  std::string describe_finish() const;

  /// The tools for the prompt. Actions in `described` ("search.grep") were taught in an earlier
  /// phase and are only named; the others are taught in full and added to it.
  std::string describe(std::set<std::string>& described) const;

  /// "search, navigate, file".
  std::string names() const;

 private:
  const Manifest* find(std::string_view tool) const;

  const Phase* phase_;
  const Feedback* feedback_;
  std::vector<Manifest> tools_;  // with only the actions of this phase
  std::string grammar_;
};

}  // namespace pedro
