#pragma once

#include "agent/run_observer.h"
#include "secrets/secret_mask.h"

namespace pedro {

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
