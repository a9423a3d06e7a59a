#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chat/message.h"
#include "context/compaction.h"
#include "context/ledger.h"
#include "hooks/hook_runner.h"
#include "llm/model.h"
#include "policy/policy_gate.h"
#include "secrets/secret_mask.h"
#include "tools/checks.h"

namespace pedro {

/// The end of a phase.
enum class PhaseEnd {
  kCompleted,  ///< its output was accepted
  kSkipped,    ///< there was nothing to do
  kStuck,      ///< the model repeated itself
  kRounds,     ///< a limit of the phase or the job is exhausted
  kTime,       ///< the job's time ended during a round, which is incomplete
  kBlocked,    ///< the model cannot do the task; its output has the reason
};
std::string_view to_string(PhaseEnd end);

/// Receives the events of a run as they happen, for the journal or the terminal. A failed Status
/// (for example if the disk is full) stops the run before its next action. Called on the thread
/// that runs the job.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual Status on_phase_started(std::string_view phase, int number, int total) = 0;
  virtual Status on_round_started(std::string_view phase, int round) = 0;
  /// `used_tokens` is the use of the context window after the reply, `window_tokens` its size.
  virtual Status on_reply(const Reply& reply, long long used_tokens, long long window_tokens) = 0;
  /// Called before each request. Messages with ids above `heard` are new in it. The ledger's
  /// total() is its size, possibly estimated.
  virtual Status on_context(const Ledger& /*ledger*/, MessageId /*heard*/) { return {}; }
  /// Called after a compaction.
  virtual Status on_compaction(const CompactionReport& /*report*/) { return {}; }
  /// Called after the policy decided about a call or a command.
  virtual Status on_decision(const policy::Record& /*record*/) { return {}; }
  /// Called after each hook of the user.
  virtual Status on_hook(const HookRun& /*run*/) { return {}; }
  virtual Status on_call_started(const ToolCall& call) = 0;
  /// `valid` is false if the call violates its schema; no tool was run then.
  virtual Status on_call_finished(const ToolCall& call, const ToolResult& result, bool valid) = 0;
  virtual Status on_check_started(const Check& check) = 0;
  virtual Status on_check_finished(const CheckOutcome& outcome) = 0;
  /// A phase reached a limit or repeats itself. Called before on_phase_finished(), and before
  /// anything depends on the limit: a resumed job may continue here with another round.
  virtual Status on_phase_limited() { return {}; }
  virtual Status on_phase_finished(std::string_view phase, PhaseEnd end, const Json& output) = 0;
  virtual void on_notice(std::string_view message) = 0;
  /// Called when a failed request is sent again.
  virtual void on_retry(std::string_view message) { on_notice(message); }
};

/// Forwards the events of a run to another observer and masks secrets in texts of the model. A
/// model can write a secret that its input does not contain, by decoding or concatenation. Forwards
/// events unchanged if `secrets` is null. Borrows both.
class MaskedObserver : public RunObserver {
 public:
  MaskedObserver(const SecretMask* secrets, RunObserver& next) : secrets_(secrets), next_(next) {}

  Status on_phase_started(std::string_view phase, int number, int total) override {
    return next_.on_phase_started(phase, number, total);
  }
  Status on_round_started(std::string_view phase, int round) override {
    return next_.on_round_started(phase, round);
  }
  Status on_reply(const Reply& reply, long long used_tokens, long long window_tokens) override;
  Status on_context(const Ledger& ledger, MessageId heard) override {
    return next_.on_context(ledger, heard);
  }
  Status on_compaction(const CompactionReport& report) override {
    return next_.on_compaction(report);
  }
  Status on_decision(const policy::Record& record) override;
  Status on_hook(const HookRun& run) override;
  Status on_call_started(const ToolCall& call) override;
  Status on_call_finished(const ToolCall& call, const ToolResult& result, bool valid) override;
  Status on_check_started(const Check& check) override;
  Status on_check_finished(const CheckOutcome& outcome) override;
  Status on_phase_limited() override { return next_.on_phase_limited(); }
  Status on_phase_finished(std::string_view phase, PhaseEnd end, const Json& output) override;
  void on_notice(std::string_view message) override;
  void on_retry(std::string_view message) override;

 private:
  ToolCall masked(const ToolCall& call) const;

  const SecretMask* secrets_;
  RunObserver& next_;
};

}  // namespace pedro
