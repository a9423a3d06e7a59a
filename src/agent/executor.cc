#include "agent/executor.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pedro {
namespace {

constexpr int kWarnRounds = 2;

// A short name of a call for the heading of its result: the action and the argument that tells
// most.
std::string heading(const ToolCall& call) {
  std::string text = call.tool;
  if (const std::string action = text_of(call.args, "action"); !action.empty()) {
    text += " " + action;
  }
  for (const char* key : {"path", "pattern", "name", "directory", "id"}) {
    const std::string value = text_of(call.args, key);
    if (value.empty()) continue;
    return text + " " + cut_middle(value, 120, "");
  }
  return text;
}

// What a reply has in it, before anyone asked whether there are such tools here: ToolSet knows more
// to say about that than a parser.
struct FoundParts {
  std::vector<ParsedCall> calls;
  std::string problem;  // of the first part that is no call, or of there being none
};

FoundParts found_in(const std::string& reply) {
  FoundParts found;
  for (CallPart& part : parse_calls(reply, CallSyntax::kJson)) {
    if (auto* call = std::get_if<ParsedCall>(&part)) {
      found.calls.push_back(std::move(*call));
      continue;
    }
    const CallProblem& problem = std::get<RejectedText>(part).problem;
    if (found.problem.empty()) found.problem = to_string(problem);
    // Some of them would be worse than none.
    const bool endless =
        problem.kind == CallProblem::Kind::kTooMany || problem.kind == CallProblem::Kind::kTooLong;
    if (endless) found.calls.clear();
  }
  if (found.calls.empty() && found.problem.empty()) found.problem = "it has no call in it";
  return found;
}

void append_paragraph(std::string& text, std::string_view addition) {
  if (!text.empty() && !addition.empty()) text += "\n\n";
  text += addition;
}

}  // namespace

std::string_view to_string(PhaseEnd end) {
  switch (end) {
    case PhaseEnd::kCompleted:
      return "completed";
    case PhaseEnd::kSkipped:
      return "skipped";
    case PhaseEnd::kStuck:
      return "stuck";
    case PhaseEnd::kRounds:
      return "at the limit";
  }
  return "";
}

void Executor::begin(std::string system_prompt) {
  window_.context_tokens = parts_.model_info.context_tokens;
  window_.reply_tokens = std::min(limits_.reply_tokens, window_.context_tokens / 4);
  conversation_.append(Role::kSystem, std::move(system_prompt));
}

bool Executor::out_of_rounds(const Phase& phase, int round) const {
  const bool late =
      limits_.deadline_ticks_ms > 0 && parts_.clock.ticks_ms() >= limits_.deadline_ticks_ms;
  return late || round > phase.max_rounds ||
         (limits_.max_rounds > 0 && rounds_ >= limits_.max_rounds);
}

std::size_t Executor::result_allowance() const {
  return window_.result_allowance_bytes();
}

Result<PhaseOutcome> Executor::run_phase(const Phase& phase, const ToolSet& tools,
                                         const std::string& opening,
                                         const EvidenceCheck& evidence) {
  loop_guard_.clear();
  std::string next = std::move(carried_);
  carried_.clear();
  append_paragraph(next, opening);
  PhaseOutcome outcome;
  for (int round = 1;; ++round) {
    if (out_of_rounds(phase, round)) {
      carried_ = std::move(next);
      outcome.end = PhaseEnd::kRounds;
      return outcome;
    }
    const int left = phase.max_rounds - round + 1;
    if (left <= kWarnRounds && round > 1) {
      next += parts_.feedback.text("last_rounds", {{"rounds", std::to_string(left)}});
    }
    conversation_.append(Role::kUser, std::move(next));
    if (Status heard = parts_.observer.on_round_started(phase.name, round); !heard) {
      return heard.error();
    }
    const Result<Reply> reply = ask(phase, tools);
    if (!reply) return reply.error();
    outcome.rounds = round;
    Result<Step> step = act(phase, tools, *reply, evidence);
    if (!step) return step.error();
    if (step->end) {
      carried_ = std::move(step->feedback);
      outcome.end = *step->end;
      outcome.output = std::move(step->output);
      return outcome;
    }
    next = std::move(step->feedback);
  }
}

Result<Reply> Executor::ask(const Phase& phase, const ToolSet& tools) {
  GenerateRequest request;
  request.conversation = conversation_.messages();
  const bool constrained =
      limits_.constrained && phase.constrained && parts_.model_info.grammar_enforced;
  if (constrained) request.grammar = tools.grammar();
  request.temperature = phase.temperature.value_or(limits_.temperature);
  request.max_tokens = window_.reply_tokens;
  if (constrained && parts_.trace.wants(TraceTopic::kGrammar) &&
      request.grammar != traced_grammar_) {
    traced_grammar_ = request.grammar;
    parts_.trace.sink(TraceTopic::kGrammar, "phase " + phase.name + "\n" + traced_grammar_);
  }
  if (parts_.trace.wants(TraceTopic::kPrompt)) {
    parts_.trace.sink(TraceTopic::kPrompt, conversation_.messages().back().text);
  }
  Result<Reply> reply = parts_.model.generate(request);
  if (!reply) return reply;
  ++rounds_;
  total_ += reply->usage;
  if (reply->expected_cached_tokens > reply->usage.cached_tokens) {
    cache_missed_ += reply->expected_cached_tokens - reply->usage.cached_tokens;
  }
  window_.prompt_tokens = reply->usage.prompt_tokens + reply->usage.generated_tokens;
  conversation_.append(Role::kAssistant, reply->text);
  const Status heard =
      parts_.observer.on_reply(*reply, window_.prompt_tokens, window_.context_tokens);
  if (!heard) return heard.error();
  return reply;
}

Result<Executor::Step> Executor::act(const Phase& phase, const ToolSet& tools, const Reply& reply,
                                     const EvidenceCheck& evidence) {
  const Feedback& feedback = parts_.feedback;
  if (reply.stop == StopReason::kLimit) {
    return Step{feedback.text("cut", {{"tokens", std::to_string(reply.usage.generated_tokens)}}),
                std::nullopt,
                {}};
  }
  const FoundParts found = found_in(reply.text);
  if (found.calls.empty()) {
    return Step{feedback.text("not_a_call", {{"problem", found.problem}}), std::nullopt, {}};
  }
  if (found.calls.size() == 1 && found.problem.empty() &&
      found.calls.front().tool == kPhaseComplete) {
    return finish(phase, tools, found.calls.front(), evidence);
  }
  Step all;
  for (const ParsedCall& call : found.calls) {
    if (call.tool == kPhaseComplete) {
      append_paragraph(all.feedback, feedback.text("mixed_finish"));
      continue;
    }
    const Result<Step> one = run_call(tools, call);
    if (!one) return one.error();
    append_paragraph(all.feedback, one->feedback);
    if (one->end) all.end = one->end;
  }
  if (!found.problem.empty()) {
    append_paragraph(all.feedback, feedback.text("call_not_used", {{"problem", found.problem}}));
  }
  return all;
}

Result<Executor::Step> Executor::finish(const Phase& phase, const ToolSet& tools,
                                        const ParsedCall& call, const EvidenceCheck& evidence) {
  const std::string problem = tools.check_finish(call.args);
  if (!problem.empty()) {
    return Step{parts_.feedback.text("finish_refused", {{"problem", problem}}), std::nullopt, {}};
  }
  const Result<std::optional<std::string>> refusal = evidence(phase, call.args);
  if (!refusal) return refusal.error();
  if (*refusal) return Step{**refusal, std::nullopt, {}};
  return Step{"", PhaseEnd::kCompleted, call.args};
}

Result<Executor::Step> Executor::run_call(const ToolSet& tools, const ParsedCall& written) {
  if (parts_.cancel.cancelled()) return Error{ErrorKind::kInterrupted, "interrupted"};
  const ToolCall call{fmt::format("call-{}", ++calls_), written.tool, written.args};
  if (Status heard = parts_.observer.on_call_started(call); !heard) return heard.error();
  const std::string problem = tools.check_call(call);
  if (limits_.deadline_ticks_ms > 0) {
    const long long left_ms = limits_.deadline_ticks_ms - parts_.clock.ticks_ms();
    parts_.tools.left_s = static_cast<double>(left_ms) / 1000;
  }
  Result<ToolResult> result = problem.empty()
                                  ? parts_.registry.run(call, result_allowance(), parts_.tools)
                                  : Result<ToolResult>(refuse(problem));
  if (!result) return result.error();
  if (!problem.empty()) ++invalid_calls_;
  if (Status heard = parts_.observer.on_call_finished(call, *result, problem.empty()); !heard) {
    return heard.error();
  }
  written_.insert(result->changed.begin(), result->changed.end());
  // What the next result of the same reply may have; exact again with the next prompt.
  window_.prompt_tokens += static_cast<long long>(result->text.size() / Window::kBytesPerToken);
  const int times = loop_guard_.record(call, *result);
  Step step;
  step.feedback = parts_.feedback.text(
      "result",
      {{"call", heading(call)}, {"status", result->ok ? "ok" : "failed"}, {"text", result->text}});
  if (times >= LoopGuard::kHintAt) {
    step.feedback += parts_.feedback.text("repeated", {{"times", std::to_string(times)}});
  }
  if (times >= LoopGuard::kStuckAt) step.end = PhaseEnd::kStuck;
  return step;
}

}  // namespace pedro
