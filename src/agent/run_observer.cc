#include "agent/run_observer.h"

#include "secrets/secret_mask.h"

namespace pedro {

std::string_view to_string(PhaseEnd end) {
  switch (end) {
    case PhaseEnd::kCompleted:
      return "completed";
    case PhaseEnd::kSkipped:
      return "skipped";
    case PhaseEnd::kStuck:
      return "stuck";
    case PhaseEnd::kRounds:
    case PhaseEnd::kTime:
      return "at the limit";
    case PhaseEnd::kBlocked:
      return "blocked";
  }
  return "";
}

ToolCall MaskedObserver::masked(const ToolCall& call) const {
  ToolCall shown = call;
  shown.args = masked_json(secrets_, std::move(shown.args));
  return shown;
}

Status MaskedObserver::on_reply(const Reply& reply, long long used_tokens,
                                long long window_tokens) {
  if (secrets_ == nullptr) return next_.on_reply(reply, used_tokens, window_tokens);
  Reply shown = reply;
  shown.text = secrets_->mask(shown.text);
  shown.thinking = secrets_->mask(shown.thinking);
  return next_.on_reply(shown, used_tokens, window_tokens);
}

Status MaskedObserver::on_decision(const policy::Record& record) {
  policy::Record shown = record;
  shown.request.line = masked_text(secrets_, std::move(shown.request.line));
  for (policy::Finding& finding : shown.findings) {
    finding.what = masked_text(secrets_, std::move(finding.what));
    finding.why = masked_text(secrets_, std::move(finding.why));
  }
  return next_.on_decision(shown);
}

Status MaskedObserver::on_hook(const HookRun& run) {
  HookRun shown = run;
  shown.command = masked_text(secrets_, std::move(shown.command));
  shown.problem = masked_text(secrets_, std::move(shown.problem));
  return next_.on_hook(shown);
}

Status MaskedObserver::on_call_started(const ToolCall& call) {
  return next_.on_call_started(masked(call));
}

Status MaskedObserver::on_call_finished(const ToolCall& call, const ToolResult& result,
                                        bool valid) {
  ToolResult shown = result;
  shown.text = masked_text(secrets_, std::move(shown.text));
  return next_.on_call_finished(masked(call), shown, valid);
}

Status MaskedObserver::on_check_started(const Check& check) {
  return next_.on_check_started(shown_check(check, secrets_));
}

Status MaskedObserver::on_check_finished(const CheckOutcome& outcome) {
  CheckOutcome shown = outcome;
  shown.check = shown_check(std::move(shown.check), secrets_);
  shown.output = masked_text(secrets_, std::move(shown.output));
  return next_.on_check_finished(shown);
}

Status MaskedObserver::on_phase_finished(std::string_view phase, PhaseEnd end, const Json& output) {
  return next_.on_phase_finished(phase, end, masked_json(secrets_, output));
}

void MaskedObserver::on_notice(std::string_view message) {
  next_.on_notice(masked_text(secrets_, std::string(message)));
}

void MaskedObserver::on_retry(std::string_view message) {
  next_.on_retry(masked_text(secrets_, std::string(message)));
}

}  // namespace pedro
