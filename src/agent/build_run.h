#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/checked_tree.h"
#include "agent/delivery.h"
#include "agent/executor.h"
#include "agent/phase.h"
#include "agent/repository.h"
#include "tools/checks.h"

namespace pedro {

/// What a build works on.
struct BuildTask {
  int issue_number = 0;
  std::string title;
  std::string text;  ///< the issue and the description, for the prompt
};

struct BuildSettings {
  std::string branch;       ///< made at the base; "": the changes stay uncommitted where HEAD is
  std::string base;         ///< the commit to start from
  std::string base_branch;  ///< for a pull request; may be empty
  std::vector<ChangedFile> dirty;  ///< what differed from the base before, where that was allowed
  bool push = false;
  bool draft = true;  ///< see DeliveryPlan
  std::string remote = "origin";
  std::string patch_path;
  Bodies bodies = Bodies::kAuto;  ///< where a phase does not say it
};

enum class BuildEnd {
  kVerified,        ///< the checks pass on the work tree that was delivered
  kNotVerified,     ///< checks still fail, or there are none
  kLimit,           ///< rounds or time used up, or the model went round in circles
  kNothingChanged,  ///< every phase ended and no file differs
};
std::string_view to_string(BuildEnd end);

/// What came of a build.
struct BuildResult {
  BuildEnd end = BuildEnd::kVerified;
  std::string reason;                       ///< one sentence; why it is not verified
  Delivery delivery;                        ///< nothing_changed where there is no commit
  std::vector<CheckOutcome> checks;         ///< of the last run; empty where there were none
  std::map<std::string, Json> outputs;      ///< of the phases, by name
  std::vector<std::string> undelivered;     ///< written by tools, and not in the commit
  std::vector<std::string> moved_branches;  ///< see WorkBranch
};

/// Where long texts of a phase's calls stand: as the phase says, else as `wanted`; kJson or kRaw.
Bodies bodies_of(const ModelInfo& model, const Phase& phase, Bodies wanted);

/// A build from its first phase to the commit: runs the workflow's phases on an executor, runs the
/// checks itself, accepts no phase without its evidence, and delivers. Borrows everything.
class BuildRun {
 public:
  BuildRun(const Workflow& workflow, const BuildTask& task, BuildSettings settings,
           const Repository& repository, CheckedTree& tree, Executor& executor,
           const ExecutorParts& parts)
      : workflow_(workflow),
        task_(task),
        settings_(std::move(settings)),
        repository_(repository),
        tree_(tree),
        executor_(executor),
        parts_(parts) {}

  /// An Error where the job cannot go on (server gone, disk full, interrupted); save() then keeps
  /// what is in the tree.
  Result<BuildResult> run();

  /// Commits what is in the work tree to the branch as unfinished, with `why` in its body; where
  /// nothing has changed there is no commit. `repository` may be one with a cancel token of its
  /// own.
  Result<Delivery> save(const Repository& repository, const std::string& why) const;

  /// The first prompt: system and the opening of the first phase. For -dry-run.
  Result<std::vector<ChatMessage>> first_prompt();

 private:
  Result<std::string> system_prompt();
  Result<std::string> opening(const Phase& phase, const ToolSet& tools);
  Result<std::optional<std::string>> check_evidence(const Phase& phase);
  Result<bool> may_skip(const Phase& phase);
  Result<std::string> describe_checks();
  ToolSet tool_set(const Phase& phase);
  DeliveryPlan plan(CommitText text) const;
  Result<BuildResult> finish(BuildResult result);
  Result<BuildResult> without_commit(BuildResult result, bool changed);
  Result<std::vector<CheckOutcome>> outcomes() { return tree_.outcomes(executor_.calls()); }
  Result<std::vector<std::string>> undelivered(const Delivery& delivery) const;

  const Workflow& workflow_;
  const BuildTask& task_;
  BuildSettings settings_;
  const Repository& repository_;
  CheckedTree& tree_;
  Executor& executor_;
  ExecutorParts parts_;
  std::set<std::string> described_;  // actions whose parameters the model was taught
  std::map<std::string, Json> outputs_;
  std::string at_start_;        // fingerprints of the tree: of the job,
  std::string at_phase_start_;  // of the phase
};

}  // namespace pedro
