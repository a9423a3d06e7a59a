#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agent/phase.h"

namespace pedro {

/// What the phases of an agent may ask for, beside what every agent has: task, title, tools,
/// finish, calls, the outputs of earlier phases, and in a phase that is done for each of several
/// things item, number and total.
struct AgentTerms {
  std::vector<std::string> variables;
  std::vector<std::string> lists;  ///< what `for_each` may name beside members of outputs
  std::vector<Evidence> evidence;
};

/// Those of agents that change files: they work on a branch and are checked.
const AgentTerms& writing_terms();
/// Those of agents that only read.
const AgentTerms& reading_terms();

/// Those of an agent by its name and by whether it `writes`.
const AgentTerms& terms_of(std::string_view agent, bool writes);

}  // namespace pedro
