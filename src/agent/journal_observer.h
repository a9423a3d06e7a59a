#pragma once

#include <map>
#include <string>

#include "agent/run_observer.h"
#include "job/journal.h"

namespace pedro {

/// Writes what a run does into its journal, and passes it on to another observer. Borrows both.
class JournalObserver : public RunObserver {
 public:
  JournalObserver(Journal& journal, RunObserver& next) : journal_(journal), next_(next) {}

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

 private:
  Journal& journal_;
  RunObserver& next_;
  std::string phase_;
  int round_ = 0;
};

}  // namespace pedro
