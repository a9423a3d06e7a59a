#pragma once

#include <functional>
#include <map>
#include <string>

#include "agent/run_observer.h"
#include "base/json.h"
#include "context/budget.h"
#include "context/compaction.h"
#include "context/ledger.h"
#include "job/answer_log.h"
#include "job/journal.h"

namespace pedro {

/// Returns the journal's event of an addition (docs/journal.md, `context.appended`): the messages
/// with ids above `heard` and the total token count.
Json appended_json(const Ledger& ledger, MessageId heard);

/// Returns the journal's event of a compaction (`context.compacted`).
Json compacted_json(const CompactionReport& report);

/// Takes a checkpoint of the files after `rounds` rounds. Returns its commit id, or "" if nothing
/// has changed.
using TakeCheckpoint = std::function<Result<std::string>(int rounds)>;

/// Returns additional state at the end of a round.
using RoundState = std::function<Json()>;

/// Writes the events of a run to its journal and forwards them to another observer. Suppresses both
/// while a resumed job is replayed. Borrows all references; one thread.
class JournalObserver : public RunObserver {
 public:
  JournalObserver(Journal& journal, AnswerLog& answers, RunObserver& next)
      : journal_(journal), answers_(answers), next_(next) {
    fall_silent();
  }

  /// Sets the source of additional state that the log stores at the end of a round. The log itself
  /// adds `rounds` and `journal` ({bytes, hash}).
  void set_round_state(RoundState state) { round_state_ = std::move(state); }

  /// Sets a function that is called before each round and at the end of each phase. If it fails,
  /// the user is notified once, and the job cannot be resumed from this round (AnswerLog). Only
  /// kInterrupted stops the run.
  void keep_checkpoints(TakeCheckpoint take) { take_checkpoint_ = std::move(take); }

  Status on_phase_started(std::string_view phase, int number, int total) override;
  Status on_round_started(std::string_view phase, int round) override;
  Status on_reply(const Reply& reply, long long used_tokens, long long window_tokens) override;
  Status on_context(const Ledger& ledger, MessageId heard) override;
  Status on_compaction(const CompactionReport& report) override;
  Status on_decision(const policy::Record& record) override;
  Status on_hook(const HookRun& run) override;
  Status on_call_started(const ToolCall& call) override;
  Status on_call_finished(const ToolCall& call, const ToolResult& result, bool valid) override;
  Status on_check_started(const Check& check) override;
  Status on_check_finished(const CheckOutcome& outcome) override;
  Status on_phase_limited() override;
  Status on_phase_finished(std::string_view phase, PhaseEnd end, const Json& output) override;
  void on_notice(std::string_view message) override;
  void on_retry(std::string_view message) override;

 private:
  Status take_checkpoint();
  Status end_round();
  void fall_silent();

  Journal& journal_;
  AnswerLog& answers_;
  bool silent_ = false;  // replaying events that were already reported
  RoundState round_state_;
  RunObserver& next_;
  std::string phase_;
  int round_ = 0;
  int rounds_ = 0;          // of the job: completed, or with a reply
  int limited_after_ = -1;  // value of rounds_ at which a limit ended a phase
  TakeCheckpoint take_checkpoint_;
  bool files_kept_ = true;  // the last checkpoint succeeded
  bool told_ = false;       // the user knows that checkpoints fail
};

}  // namespace pedro
