#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/checked_tree.h"
#include "agent/clean_checks.h"
#include "agent/delivery.h"
#include "agent/executor.h"
#include "agent/fault_evidence.h"
#include "agent/phase.h"
#include "agent/repository.h"
#include "agent/shown_files.h"
#include "agent/solver.h"
#include "agent/task_files.h"
#include "agent/workflow_run.h"
#include "agent/workplace.h"
#include "tools/checks.h"

namespace pedro {

/// What a build works on.
struct BuildTask {
  int issue_number = 0;
  std::string title;
  std::string text;        ///< the issue and the description, for the prompt
  std::string rules = {};  ///< see WorkflowTask
  bool at_github = false;  ///< the issue was read there, so that its number is one of there
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
  SolveSettings solve = {};
};

enum class BuildEnd {
  kVerified,        ///< the checks pass, in a clean checkout of the commit too
  kNotVerified,     ///< checks still fail, or there are none
  kLimit,           ///< rounds or time used up, or the model went round in circles
  kNothingChanged,  ///< every phase ended and no file differs
  kNotReproduced,   ///< what is to be mended could not be shown to be broken
};
std::string_view to_string(BuildEnd end);

/// What came of a build.
struct BuildResult {
  BuildEnd end = BuildEnd::kVerified;
  std::string reason;                ///< one sentence; why it is not verified
  Delivery delivery;                 ///< nothing_changed where there is no commit
  std::vector<CheckOutcome> checks;  ///< of the last run; empty where there were none
  PhaseOutputs outputs;
  /// The command that showed the fault, as it failed before the work; it is one of the checks.
  std::optional<CheckOutcome> reproduction;
  std::vector<std::string> changed_evidence;  ///< files that it ran then, and are others now
  std::vector<std::string> undelivered;       ///< written by tools, and not in the commit
  std::vector<std::string> moved_branches;    ///< see WorkBranch
  int tries = 0;                              ///< answers that were asked for, see Solver
  /// The checks in a clean checkout of the commit; empty if none was made.
  std::vector<CheckOutcome> clean_checks;
  std::set<std::string> check_files;  ///< changed files that are tests or define the checks
  /// The checks in a clean checkout with the base's version of these; empty if there are none.
  std::vector<CheckOutcome> base_checks;
};

/// Work that ends in a commit, from its first phase on: runs the workflow's phases on an executor,
/// runs the checks itself, accepts no phase without its evidence, and delivers. Borrows everything.
class BuildRun : public Workplace {
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
        parts_(parts),
        phases_(workflow, {task.title, task.text, "", task.rules}, settings_.bodies, *this,
                executor, parts) {}
  BuildRun(const BuildRun&) = delete;
  BuildRun& operator=(const BuildRun&) = delete;

  /// An Error where the job cannot go on (server gone, disk full, interrupted); save() then keeps
  /// what is in the tree.
  Result<BuildResult> run();

  /// Commits what is in the work tree to the branch as unfinished, with `why` in its body; where
  /// nothing has changed there is no commit. `repository` may be one with a cancel token of its
  /// own.
  Result<Delivery> save(const Repository& repository, const std::string& why) const;

  /// Checks the commit in a clean checkout before it counts as verified. Borrows `checks`.
  void use_clean_checks(CleanChecks& checks) { clean_ = &checks; }

  /// The first prompt: system and the opening of the first phase. For -dry-run.
  Result<std::vector<ChatMessage>> first_prompt();

  Result<std::string> value(const std::string& variable, const PhaseItem& item) override;
  Result<bool> may_skip(const Phase& phase, const PhaseItem& item) override;
  Result<std::optional<Json>> known_output(const Phase& phase) override;
  Status begin(const Phase& phase, const PhaseItem& item) override;
  Result<std::optional<std::string>> refusal(const Phase& phase, const PhaseItem& item,
                                             const Json& output) override;
  Result<PhaseOutcome> solve(const Phase& phase, const RenderTry& render) override;
  Result<NextStep> finished(const Phase& phase, const PhaseItem& item, const Json& output) override;

 private:
  Result<std::optional<std::string>> check_reproduction(const Json& output);
  Result<bool> cannot_be_read(const std::string& line);
  Status keep_evidence(FaultEvidence evidence);
  Result<std::vector<std::string>> changed_evidence();
  Result<std::optional<std::string>> refuse_evidence();
  Result<std::optional<std::string>> denied_by_policy(const std::string& line);
  Result<std::optional<std::string>> logged(
      Question question, const std::function<Result<std::optional<std::string>>()>& ask);
  Result<std::string> describe_checks();
  Result<std::string> describe_failures();
  Result<Solver> make_solver(const std::string& output);
  Result<std::string> failing_output();
  Result<const ShownFiles*> shown_files();
  Result<std::vector<TaskFile>> task_files(const std::string& output);
  CommitText commit_text(const PhaseOutputs& outputs) const;
  DeliveryPlan plan(CommitText text) const;
  Result<BuildResult> finish(BuildResult result);
  Result<BuildResult> save_unfinished(BuildResult result);
  Result<BuildResult> deliver_work(BuildResult result);
  Status check_delivery(BuildResult& result);
  Status check_commit_anew(BuildResult& result);
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
  WorkflowRun phases_;
  bool solved_ = false;  // by an answer, or in a phase with Evidence::kSolution
  CleanChecks* clean_ = nullptr;
  bool is_dry_ = false;  // nothing is run
  std::optional<ShownFiles> shown_;
  int tries_ = 0;
  std::optional<CheckOutcome> reproduction_;
  FaultEvidence evidence_;
  std::string at_start_;        // fingerprints of the tree: of the job,
  std::string at_phase_start_;  // of the phase
};

}  // namespace pedro
