#pragma once

#include <functional>
#include <map>
#include <string>

#include "agent/run_observer.h"
#include "job/answer_log.h"
#include "job/journal.h"

namespace pedro {

/// Keeps the files as they are after so many rounds; a commit's id, "" where there is nothing new.
using TakeCheckpoint = std::function<Result<std::string>(int rounds)>;

/// What is to be known of a round that is over, beside what the journal knows.
using RoundState = std::function<Json()>;

/// Writes what a run does into its journal, and passes it on to another observer. A job that is
/// gone through again is heard from where it was left. Borrows all.
class JournalObserver : public RunObserver {
 public:
  JournalObserver(Journal& journal, AnswerLog& answers, RunObserver& next)
      : journal_(journal), answers_(answers), next_(next) {
    fall_silent();
  }

  /// What the end of a round has in the log beside `rounds` and `journal` ({bytes, hash}).
  void set_round_state(RoundState state) { round_state_ = std::move(state); }

  /// From now on called before each round and at the end of each phase. Where it fails, the user
  /// is told, once, and the round is none to go on from (AnswerLog); only an interruption stops the
  /// run.
  void keep_checkpoints(TakeCheckpoint take) { take_checkpoint_ = std::move(take); }

  Status on_phase_started(std::string_view phase, int number, int total) override;
  Status on_round_started(std::string_view phase, int round) override;
  Status on_reply(const Reply& reply, long long used_tokens, long long window_tokens) override;
  Status on_context(const Ledger& ledger, MessageId heard) override;
  Status on_compaction(const CompactionReport& report) override;
  Status on_decision(const PolicyRecord& record) override;
  Status on_call_started(const ToolCall& call) override;
  Status on_call_finished(const ToolCall& call, const ToolResult& result, bool valid) override;
  Status on_check_started(const Check& check) override;
  Status on_check_finished(const CheckOutcome& outcome) override;
  Status on_phase_finished(std::string_view phase, PhaseEnd end, const Json& output) override;
  void on_notice(std::string_view message) override;
  void on_retry(std::string_view message) override;

 private:
  Status take_checkpoint();
  Status end_round();
  void fall_silent();

  Journal& journal_;
  AnswerLog& answers_;
  bool silent_ = false;  // what comes has been told
  RoundState round_state_;
  RunObserver& next_;
  std::string phase_;
  int round_ = 0;
  int rounds_ = 0;          // of the job, that are over or have a reply
  int limited_after_ = -1;  // of these, where a phase had none or no time left
  TakeCheckpoint take_checkpoint_;
  bool files_kept_ = true;  // as they are now
  bool told_ = false;       // that they are not
};

}  // namespace pedro
