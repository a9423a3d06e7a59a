#pragma once

#include <optional>
#include <set>
#include <string>

#include "agent/shown_files.h"
#include "agent/workflow_run.h"
#include "agent/workplace.h"
#include "sys/work_tree.h"

namespace pedro {

/// The workplace of agents that only read. Runs and writes nothing; the output of the last phase is
/// the result. `files_share`: the share of the context window for the files of the task. Borrows
/// all references.
class ReadPlace : public Workplace {
 public:
  ReadPlace(const WorkTree& tree, const std::vector<Check>& checks, const Feedback& feedback,
            std::string task, double files_share)
      : tree_(tree),
        checks_(checks),
        feedback_(feedback),
        task_(std::move(task)),
        files_share_(files_share) {}

  void use(Executor& executor, const ExecutorParts& parts) override;
  void take_up(const std::string& message) override;
  Result<std::string> value(const std::string& variable, const PhaseItem& item) override;
  Result<std::optional<std::string>> refusal(const Phase& phase, const PhaseItem& item,
                                             const Json& output) override;

 private:
  Result<std::string> files();

  const WorkTree& tree_;
  const std::vector<Check>& checks_;
  const Feedback& feedback_;
  std::string task_;
  double files_share_;
  Executor* executor_ = nullptr;
  const ExecutorParts* parts_ = nullptr;
  std::optional<ShownFiles> shown_;  // of the current task
  std::set<std::string> earlier_;    // whole files that earlier prompts show
};

/// Returns the report of an agent that only reads: the last phase's output, and the reason for an
/// early end.
std::string read_report(const Workflow& workflow, const std::string& title,
                        const WorkflowResult& result, const PhaseOutputs& outputs);

}  // namespace pedro
