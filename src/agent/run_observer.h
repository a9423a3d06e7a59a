#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chat/message.h"
#include "context/compaction_report.h"
#include "context/ledger.h"
#include "llm/model.h"
#include "tools/checks.h"
#include "tools/policy_gate.h"

namespace pedro {

/// How a phase ended.
enum class PhaseEnd {
  kCompleted,  ///< its output was accepted
  kSkipped,    ///< there was nothing to do
  kStuck,      ///< the model repeated itself
  kRounds,     ///< the rounds of the phase or of the job, or another of its limits, are used up
  kTime,       ///< the job's time was over in the midst of a round, which is not whole
  kBlocked,    ///< the model cannot do the task; its output has the reason
};
std::string_view to_string(PhaseEnd end);

/// Hears what a run does, as it does it: the journal, the terminal. A failed Status (the journal's
/// disk is full) stops the run before it acts further. Called on the thread that runs the job.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual Status on_phase_started(std::string_view phase, int number, int total) = 0;
  virtual Status on_round_started(std::string_view phase, int round) = 0;
  /// `used_tokens` is the window's use after the reply, `window_tokens` its size.
  virtual Status on_reply(const Reply& reply, long long used_tokens, long long window_tokens) = 0;
  /// A request is about to be made: messages with ids above `heard` are new in it. total() is what
  /// it takes, as far as that is known.
  virtual Status on_context(const Ledger& /*ledger*/, MessageId /*heard*/) { return {}; }
  /// Something has left the conversation.
  virtual Status on_compaction(const CompactionReport& /*report*/) { return {}; }
  /// The policy decided about a call, or a command.
  virtual Status on_decision(const PolicyRecord& /*record*/) { return {}; }
  virtual Status on_call_started(const ToolCall& call) = 0;
  /// `valid` is false for a refused call: no tool ran, or the phase did not end.
  virtual Status on_call_finished(const ToolCall& call, const ToolResult& result, bool valid) = 0;
  virtual Status on_check_started(const Check& check) = 0;
  virtual Status on_check_finished(const CheckOutcome& outcome) = 0;
  virtual Status on_phase_finished(std::string_view phase, PhaseEnd end, const Json& output) = 0;
  virtual void on_notice(std::string_view message) = 0;
  /// A request failed and is made again.
  virtual void on_retry(std::string_view message) { on_notice(message); }
};

}  // namespace pedro
