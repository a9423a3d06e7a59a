#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agent/phase.h"

namespace pedro {

/// The terms that the phases of an agent may use in addition to the common ones. Common variables
/// are task, title, tools, finish, rounds and the outputs of earlier phases. Phases with `for_each`
/// also have item, number and total.
struct AgentTerms {
  std::vector<std::string> variables;
  std::vector<std::string> lists;  ///< values of `for_each` besides members of outputs
  std::vector<Evidence> evidence;
};

/// Returns the terms of the agent with this name. By default, agents that change files have others
/// (`writes`): they work on a branch, and their work is checked.
const AgentTerms& terms_of(std::string_view agent, bool writes);

}  // namespace pedro
