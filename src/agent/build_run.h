#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/build_result.h"
#include "agent/checked_tree.h"
#include "agent/clean_check.h"
#include "agent/executor.h"
#include "agent/phase.h"
#include "agent/reproduction.h"
#include "agent/shown_files.h"
#include "agent/solver.h"
#include "agent/task_files.h"
#include "agent/workflow_run.h"
#include "agent/workplace.h"
#include "git/delivery.h"
#include "git/repository.h"
#include "tools/checks.h"

namespace pedro {

/// The task of a build.
struct BuildTask {
  int issue_number = 0;
  std::string title;
  std::string text;        ///< the issue and the description, for the prompt
  std::string rules = {};  ///< see WorkflowTask
  bool at_forge = false;   ///< the issue number is one of the forge
  bool at_github = false;  ///< that forge is GitHub
};

struct BuildSettings {
  std::string branch;              ///< created at the base; "": no commit
  std::string base;                ///< commit to start from: of the user's last message
  std::string first_base = {};     ///< commit before all work of the job; "": `base`
  std::string base_branch;         ///< target of a pull request; may be empty
  std::vector<ChangedFile> dirty;  ///< files that differed from the base before the work
  bool push = false;
  bool draft = true;  ///< see DeliveryPlan
  std::string remote = "origin";
  std::string patch_path;
  Bodies bodies = Bodies::kAuto;  ///< default for phases without `bodies`
  SolveSettings solve = {};
  double files_share = 0.25;      ///< part of the window for files in the first prompt
  bool git_is_protected = false;  ///< see DeliveryPlan
};

/// Runs an agent whose work ends in a commit. Runs its phases and the checks, accepts a phase only
/// with evidence, and delivers the commit. Borrows all references; one thread.
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
                executor, parts),
        reproduction_(repository, tree, executor, parts_, settings_.base, settings_.dirty) {}
  BuildRun(const BuildRun&) = delete;
  BuildRun& operator=(const BuildRun&) = delete;

  /// Errors: the job cannot continue (server lost, disk full, interrupted). save() then keeps the
  /// changes.
  Result<BuildResult> run();

  /// Commits the changes to the branch as unfinished, with `why` in the body. Creates no commit
  /// without changes. `repository` may have its own cancel token.
  Result<Delivery> save(const Repository& repository, const std::string& why) const;

  /// Sets the runner of the checks in a clean checkout, which must pass before a commit is
  /// verified.
  void use_clean_runner(CleanRunner run) { run_clean_ = std::move(run); }

  /// Sets the source of later messages: "" if there are none. Each is worked on when all phases
  /// have ended, if the workflow has a prompt for it. Must be called before run().
  void use_messages(std::function<Result<std::string>()> next) { next_message_ = std::move(next); }

  /// See WorkflowRun. Must be called before run().
  void stop_after(PhaseStop stop) { phases_.stop_after(std::move(stop)); }

  /// Returns the first prompt for -dry-run: the system message and the opening of the first phase.
  /// Runs no check.
  Result<std::vector<ChatMessage>> first_prompt();

  void take_up(const std::string& message) override;
  Result<std::string> value(const std::string& variable, const PhaseItem& item) override;
  Result<bool> may_skip(const Phase& phase, const PhaseItem& item) override;
  Result<std::optional<Json>> known_output(const Phase& phase) override;
  Status begin(const Phase& phase, const PhaseItem& item) override;
  Result<std::optional<std::string>> refusal(const Phase& phase, const PhaseItem& item,
                                             const Json& output) override;
  Result<PhaseOutcome> solve(const Phase& phase, const RenderTry& render) override;
  Result<bool> may_continue_after(const Phase& phase) override;
  Result<NextStep> finished(const Phase& phase, const PhaseItem& item, const Json& output) override;

 private:
  Result<std::optional<std::string>> refuse_blocked();
  Result<std::optional<std::string>> replace_reproduction(const Json& output);
  Result<CheckOutcome> run_on_base(const Check& check, const std::set<std::string>& tests);
  Result<bool> has_changed();
  Result<std::string> describe_checks();
  Result<std::string> describe_failures();
  Result<Solver> make_solver(const std::string& output);
  Result<std::string> failing_output();
  Result<const ShownFiles*> shown_files();
  CommitText commit_text(const PhaseOutputs& outputs) const;
  DeliveryPlan plan(CommitText text) const;
  Result<BuildResult> finish(BuildResult result);
  Result<BuildResult> save_unfinished(BuildResult result);
  Result<BuildResult> deliver_work(BuildResult result);
  Result<BuildResult> without_commit(BuildResult result, bool changed);
  Result<std::vector<CheckOutcome>> outcomes() { return tree_.outcomes(executor_.calls()); }

  const Workflow& workflow_;
  const BuildTask& task_;
  BuildSettings settings_;
  const Repository& repository_;
  CheckedTree& tree_;
  Executor& executor_;
  ExecutorParts parts_;
  WorkflowRun phases_;
  bool solved_ = false;  // by an answer, or in a phase with Evidence::kSolution
  CleanRunner run_clean_;
  std::function<Result<std::string>()> next_message_;
  std::string message_;              // the last one; "": none
  bool is_dry_ = false;              // no commands are run
  std::optional<ShownFiles> shown_;  // of the task or the last message
  std::set<std::string> earlier_;    // whole files that earlier prompts show
  int tries_ = 0;
  Reproduction reproduction_;
  std::string at_start_;        // tree fingerprint at the start of the job
  std::string at_phase_start_;  // tree fingerprint at the start of the phase
};

}  // namespace pedro
