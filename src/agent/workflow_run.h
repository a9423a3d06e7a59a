#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "agent/executor.h"
#include "agent/phase.h"
#include "agent/workplace.h"
#include "base/json.h"

namespace pedro {

/// What phases have handed on, by their names; of a phase with `for_each` an array with an output
/// for each item, null where there is none yet.
using PhaseOutputs = std::map<std::string, Json>;

/// What an agent is given.
struct WorkflowTask {
  std::string title;
  std::string text;
  std::string beside = {};  ///< what it is about beside the text, in short: for -resume
  std::string rules = {};   ///< of the project, see project_rules(); may be empty
};

struct WorkflowResult {
  enum class End {
    kDone,     ///< every phase ended, or was skipped
    kLimit,    ///< rounds or time used up, or the model went round in circles
    kStopped,  ///< the workplace had enough
    kBlocked,  ///< the model reported that the task is impossible
  };
  End end = End::kDone;
  std::string phase;   ///< where it ended, unless kDone
  /// One sentence: the limit, or the model's reason. With kDone, the limit of a phase that ended
  /// without the model's word; "" if there is none.
  std::string reason;
};

/// Where long texts of a phase's calls stand: as the phase says, else as `wanted`; kJson or kRaw.
Bodies bodies_of(const ModelInfo& model, const Phase& phase, Bodies wanted);

/// What a later job of the same task need not do again.
struct KeptOutputs {
  PhaseOutputs outputs;
  /// Of phases with `for_each` a hash of what they were done for, by their names: things are known
  /// by their number, and another window cuts them in another way.
  std::map<std::string, std::string> items;
};

/// Hears of every output, as soon as it is there.
using KeepOutputs = std::function<Status(const KeptOutputs&)>;

/// The phases of a workflow, one after another, on an executor: renders their prompts, skips what
/// need not be done, repeats what is done for several things, collects what they hand on. Borrows
/// everything but the values.
class WorkflowRun {
 public:
  WorkflowRun(const Workflow& workflow, WorkflowTask task, Bodies bodies, Workplace& place,
              Executor& executor, const ExecutorParts& parts)
      : workflow_(workflow),
        task_(std::move(task)),
        bodies_(bodies),
        place_(place),
        executor_(executor),
        parts_(parts) {}

  /// An Error where the job cannot go on: server gone, disk full, interrupted.
  Result<WorkflowResult> run();

  /// What an earlier job of this workflow and task handed on is not done again, but from a phase on
  /// that is done for other things now. Before run().
  void resume(KeptOutputs earlier) { kept_ = std::move(earlier); }
  void keep_outputs(KeepOutputs keep) { keep_ = std::move(keep); }

  const PhaseOutputs& outputs() const { return kept_.outputs; }

  /// The first prompt of a phase: system and opening, as if no phase had been before it; for
  /// -dry-run, and to be counted.
  Result<std::vector<ChatMessage>> first_prompt(const Phase& phase, const PhaseItem& item = {});
  /// Renders the prompt of a phase of answers.
  RenderTry renderer(const Phase& phase, const PhaseItem& item = {});
  /// That of the first phase that is not skipped. Error (kUsage): all are.
  Result<std::vector<ChatMessage>> first_prompt();

 private:
  Result<WorkflowResult> run_phase(const Phase& phase);
  Result<Json> items_of(const Phase& phase);
  Result<PhaseOutcome> run_item(const Phase& phase, const PhaseItem& item);
  Result<bool> may_continue_after(const Phase& phase, const PhaseOutcome& outcome);
  Result<PhaseOutcome> run_answers(const Phase& phase, const PhaseItem& item);
  void take_items(const Phase& phase, const Json& items);
  Status keep(const Phase& phase, const PhaseItem& item, Json output);
  Result<std::string> system_prompt();
  using Values = std::map<std::string, std::string>;
  Result<Values> values_of(const Phase& phase, const PhaseItem& item, const ToolSet& tools);
  Result<std::string> render(const Phase& phase, const Values& values) const;
  Values values_of_try(const PhaseItem& item, const Values& more) const;
  Result<std::string> fitted(const Phase& phase, Values values, long long room);
  static std::string longest_of(const Phase& phase, const Values& values);
  Result<std::string> keep_whole(const std::string& text,
                                 const std::function<std::string(const std::string& id)>& told);
  ToolSet tool_set(const Phase& phase) const;
  Status begin_conversation();

  const Workflow& workflow_;
  WorkflowTask task_;
  Bodies bodies_;
  Workplace& place_;
  Executor& executor_;
  ExecutorParts parts_;
  KeepOutputs keep_;
  bool apart_ = false;               // the conversation at hand is not that of the phases
  std::set<std::string> described_;  // actions whose parameters the model was taught
  KeptOutputs kept_;
  std::map<std::uint64_t, std::string> kept_whole_;  // ids of what was too long, by its hash
};

}  // namespace pedro
