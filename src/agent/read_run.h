#pragma once

#include <string>

#include "agent/workflow_run.h"
#include "agent/workplace.h"
#include "sys/work_tree.h"

namespace pedro {

/// Where agents work that only read: nothing is run, nothing is written, and what the last phase
/// hands on is the result. Borrows everything.
class ReadPlace : public Workplace {
 public:
  ReadPlace(const WorkTree& tree, const std::vector<Check>& checks, const Feedback& feedback)
      : tree_(tree), checks_(checks), feedback_(feedback) {}

  Result<std::string> value(const std::string& variable, const PhaseItem& item) override;
  Result<std::optional<std::string>> refusal(const Phase& phase, const PhaseItem& item,
                                             const Json& output) override;

 private:
  const WorkTree& tree_;
  const std::vector<Check>& checks_;
  const Feedback& feedback_;
};

/// What an agent that only reads has to say: the last phase's output as text, and where it ended
/// early, why.
std::string read_report(const Workflow& workflow, const std::string& title,
                        const WorkflowResult& result, const PhaseOutputs& outputs);

}  // namespace pedro
