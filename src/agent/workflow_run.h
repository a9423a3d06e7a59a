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

/// The outputs of phases by name. For a phase with `for_each`, an array with one output per item,
/// null if missing.
using PhaseOutputs = std::map<std::string, Json>;

/// The task of an agent.
struct WorkflowTask {
  std::string title;
  std::string text;
  std::string beside = {};  ///< short identity of other inputs, for -resume
  std::string rules = {};   ///< project rules, see project_rules(); may be ""
};

struct WorkflowResult {
  enum class End {
    kDone,     ///< all phases ended or were skipped
    kLimit,    ///< rounds or time exhausted, or the model repeated itself
    kStopped,  ///< stopped by the workplace
    kBlocked,  ///< the model reported that the task is impossible
  };
  End end = End::kDone;
  std::string phase;  ///< the last phase, unless kDone
  /// One sentence: the limit, or the model's reason. With kDone, the limit of a phase that ended
  /// without the model's word; "" if there is none.
  std::string reason;
};

/// Returns the form of long texts in a phase's calls, kJson or kRaw. It is the phase's setting,
/// else `wanted`, else a default for the model.
Bodies bodies_of(const ModelInfo& model, const Phase& phase, Bodies wanted);

/// The outputs that a later job of the same task can reuse.
struct KeptOutputs {
  PhaseOutputs outputs;
  /// Hashes of the items of phases with `for_each`, by phase. Outputs are stored by item number,
  /// and another context window results in other items.
  std::map<std::string, std::string> items;
};

/// Receives the outputs after each change.
using KeepOutputs = std::function<Status(const KeptOutputs&)>;

/// A phase after which the user examines its output, before the job is resumed.
struct PhaseStop {
  std::string phase;  ///< "": none
  int rounds = 0;     ///< a resumed job has stopped there if the phase ended within these rounds
  Json edited = {};   ///< replaces the phase's output; null: none
};

/// Runs the phases of a workflow in order on an executor. Renders prompts, skips phases, repeats
/// phases for their items and collects outputs. Borrows all references; one thread.
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

  /// Runs all phases. Errors: the job cannot continue (server lost, disk full, interrupted).
  Result<WorkflowResult> run();

  /// Continues the conversation of a finished run with a user's message: runs the phases from
  /// follow_up_phase() on again. Their outputs replace the last ones. Errors: those of run().
  Result<WorkflowResult> follow_up(const std::string& message);

  /// Reuses outputs of an earlier job with the same workflow and task, up to a phase whose items
  /// have changed. Must be called before run().
  void resume(KeptOutputs earlier) { kept_ = std::move(earlier); }
  void keep_outputs(KeepOutputs keep) { keep_ = std::move(keep); }

  /// Ends the run with kLimit after a phase. Must be called before run().
  void stop_after(PhaseStop stop) { stop_ = std::move(stop); }

  const PhaseOutputs& outputs() const { return kept_.outputs; }

  /// Returns the first prompt of a phase without earlier phases: the system message and the
  /// opening. For -dry-run and token counts.
  Result<std::vector<ChatMessage>> first_prompt(const Phase& phase, const PhaseItem& item = {});
  /// Returns a function that renders prompts of a phase of answers.
  RenderTry renderer(const Phase& phase, const PhaseItem& item = {});
  /// Returns the first prompt of the first phase that is not skipped. Errors: kUsage if all are
  /// skipped.
  Result<std::vector<ChatMessage>> first_prompt();

 private:
  Result<WorkflowResult> run_from(std::size_t first, const Phase* instead);
  Result<WorkflowResult> run_phase(const Phase& phase);
  Result<Json> items_of(const Phase& phase);
  Result<PhaseOutcome> run_item(const Phase& phase, const PhaseItem& item);
  Result<bool> may_continue_after(const Phase& phase, const PhaseOutcome& outcome);
  Result<bool> stops_after(const Phase& phase);
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
  PhaseStop stop_;                   // of the task itself, not of later messages
  bool apart_ = false;               // the current conversation does not belong to the phases
  std::set<std::string> described_;  // actions described to the model
  KeptOutputs kept_;
  std::map<std::uint64_t, std::string> kept_whole_;  // ids of stored long texts, by hash
};

}  // namespace pedro
