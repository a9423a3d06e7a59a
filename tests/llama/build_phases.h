#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agent/feedback.h"
#include "agent/phase.h"
#include "agent/tool_set.h"
#include "base/result.h"
#include "tools/registry.h"

namespace pedro {

/// The phases of the built-in build agent, each with its tools.
class BuildPhases {
 public:
  static Result<BuildPhases> load();

  const std::vector<Phase>& phases() const { return loaded_->workflow.phases; }
  const ToolSet& tools(std::size_t phase) const { return tools_[phase]; }
  const Registry& registry() const { return loaded_->registry; }

  /// The grammar of a reply in a phase with one call, as text.
  std::string grammar(std::size_t phase) const;

  /// Returns the error in a reply to a phase, or "".
  std::string check_reply(std::size_t phase, const std::string& reply) const;

 private:
  struct Loaded {
    Registry registry;
    Workflow workflow;
    Feedback feedback;
  };

  explicit BuildPhases(Loaded loaded);

  std::unique_ptr<Loaded> loaded_;  // stable address: the tool sets borrow it
  std::vector<ToolSet> tools_;
};

}  // namespace pedro
