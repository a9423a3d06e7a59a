#pragma once

#include <string>
#include <vector>

#include "agent/run_observer.h"

namespace pedro {

/// An observer that prints nothing, and records events for tests.
struct SilentObserver : RunObserver {
  Status on_phase_started(std::string_view, int, int) override { return {}; }
  Status on_round_started(std::string_view, int) override { return {}; }
  Status on_reply(const Reply&, long long, long long) override { return {}; }
  Status on_call_started(const ToolCall&) override { return {}; }
  Status on_call_finished(const ToolCall& call, const ToolResult& result, bool valid) override {
    finished += call.tool + (valid ? (result.ok ? " ok; " : " failed; ") : " invalid; ");
    return {};
  }
  Status on_check_started(const Check& check) override {
    checks += check.command;
    return {};
  }
  Status on_check_finished(const CheckOutcome& outcome) override {
    checks += outcome.passed ? " passed; " : " failed; ";
    return {};
  }
  Status on_phase_finished(std::string_view, PhaseEnd, const Json&) override { return {}; }
  Status on_context(const Ledger& ledger, MessageId) override {
    exact = ledger.exact();
    total = ledger.total();
    pinned = 0;
    for (const ContextPart& part : ledger.parts(0, ledger.messages().size())) pinned += part.pinned;
    return {};
  }
  Status on_compaction(const CompactionReport&) override {
    ++compactions;
    return {};
  }
  void on_notice(std::string_view notice) override { notices.emplace_back(notice); }

  std::vector<std::string> notices;
  std::string finished;
  std::string checks;
  int compactions = 0;
  bool exact = false;  // the last request was counted, not estimated
  long long total = 0;
  int pinned = 0;  // pinned parts of the last request
};

}  // namespace pedro
