#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/feedback.h"
#include "agent/phase.h"
#include "base/json.h"
#include "call_parser/call_part.h"
#include "chat/chat_request.h"
#include "chat/message.h"
#include "llm/model.h"
#include "schema_to_gbnf/tool_calls.h"
#include "tools/manifest.h"
#include "tools/registry.h"

namespace pedro {

/// The name of the call that ends a phase. The executor handles it; it is not a tool.
inline constexpr std::string_view kPhaseComplete = "phase_complete";

/// Its parameter with the reason why the task is impossible, instead of the phase's output.
inline constexpr const char* kBlockedReason = "blocked";

/// True if the arguments of phase_complete have such a reason.
inline bool reports_blocked(const Phase& phase, const Json& args) {
  return phase.takes_blocked && !text_of(args, kBlockedReason).empty();
}

/// Returns the alternatives of a reply in the order of the grammar. The allowed actions of the
/// phase's tools come first, then the end of the phase.
std::vector<CallBranch> call_branches(const Registry& registry, const Phase& phase,
                                      Bodies bodies = Bodies::kJson);

/// The way in which a model learns its tools.
enum class ToolStyle {
  kDescribed,  ///< in the prompts of phases; calls and results are text
  kDeclared    ///< before the conversation, see declared_tools()
};

/// The declared schema of phase_complete.
enum class EndSchema {
  kAnyObject,  ///< for models that a grammar constrains, and that learn it from the prompt
  kOutputs,    ///< an `anyOf` of the outputs of all phases, for servers that constrain calls to it
};

/// Returns the schema that fits a model. It is the same in all phases, since servers write tools
/// before the conversation.
inline EndSchema end_schema_of(const ModelInfo& model) {
  return model.can.grammar ? EndSchema::kAnyObject : EndSchema::kOutputs;
}

/// Returns all tools of an agent's phases, with the actions that some phase allows, and
/// phase_complete.
std::vector<DeclaredTool> declared_tools(const Registry& registry, const Workflow& workflow,
                                         const Feedback& feedback, EndSchema end);

/// The calls available in one phase: allowed actions of its tools, and the end of the phase.
/// Prompt, grammar and validation use the same manifests. Immutable; borrows the registry, the
/// phase and the feedback.
class ToolSet {
 public:
  /// Selects the actions of the phase's tools that the phase allows. `bodies` is kJson or kRaw.
  /// With a workflow, which contains the phase, refusals name the later phase that has a tool.
  ToolSet(const Registry& registry, const Phase& phase, const Feedback& feedback, ToolStyle style,
          Bodies bodies = Bodies::kJson, const Workflow* workflow = nullptr);

  ToolStyle style() const { return style_; }

  /// Returns the alternatives of a reply.
  std::span<const CallBranch> calls() const { return calls_; }

  /// Returns the general instructions for calls. Includes those for long texts of this phase's
  /// tools that are not in the arguments.
  std::string how_to_call() const;

  /// Corrects the name of a call if it means a tool; see meant_tool(). Adds the action that is in
  /// the name. Returns the repairs.
  std::vector<std::string> correct_name(ParsedCall& call) const;

  /// Returns true if no call without arguments of this tool is valid.
  bool needs_arguments(const std::string& tool) const;

  /// Repairs and checks a tool call.
  CheckedArgs check_call(const ToolCall& call) const;

  /// Repairs and checks the arguments of phase_complete.
  CheckedArgs check_finish(const Json& args) const;

  /// Returns the form of the finishing call that the prompt teaches.
  std::string describe_finish() const;

  /// Returns the tools for the prompt. Declared tools are only named. So are actions in `described`
  /// ("search.grep"), because an earlier phase described them. Describes the others and adds them
  /// to it.
  std::string describe(std::set<std::string>& described) const;

  /// Returns for example "search, navigate, file".
  std::string names() const;

 private:
  const Manifest* find(std::string_view tool) const;
  CheckedArgs check_meant(const Manifest* tool, const ToolCall& call) const;
  std::string later_phase_with(const std::string& tool, const std::string& action) const;
  std::string names_with_actions() const;
  std::string how_to_write_bodies() const;
  std::string describe_tools(std::set<std::string>& described) const;

  const Phase* phase_;
  const Feedback* feedback_;
  ToolStyle style_;
  const Registry* registry_;
  const Workflow* workflow_;     // may be null
  std::vector<Manifest> tools_;  // with only the actions of this phase
  std::vector<CallBranch> calls_;
};

}  // namespace pedro
