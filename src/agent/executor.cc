#include "agent/executor.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/reply_calls.h"
#include "agent/user_messages.h"
#include "base/text.h"
#include "job/refusals.h"
#include "llm/bias_settings.h"
#include "secrets/secret_mask.h"
#include "tools/line_table.h"
#include "tools/text_file.h"

namespace pedro {
namespace {

constexpr int kWarnRounds = 2;
constexpr int kMaxSameRefusals = 3;
constexpr int kMaxShorterPrompts = 4;       // compactions after one prompt that is too long
constexpr int kMoreSamples = 3;             // samples of a reply that repeats a refused call
constexpr double kSampleTemperature = 0.8;  // lowest temperature of these samples

long long prompt_and_reply(const Usage& usage) {
  return usage.prompt_tokens + usage.generated_tokens;
}

// Returns the error of a shorter prompt, or the first refusal if its length was only a guess.
Error cause_of(const Error& refusal, const Error& next) {
  const bool was_guess = refusal.kind != ErrorKind::kLimit;
  if (!was_guess || next.kind == ErrorKind::kInterrupted) return next;
  return {refusal.kind, refusal.message};
}

}  // namespace

void Executor::begin(std::string system_prompt, std::vector<DeclaredTool> tools) {
  if (!keeper_.request().messages.empty()) {
    keeper_.begin_anew();
    next_ = {};
    window_ = {};
  }
  window_.context_tokens = parts_.model_info.context_tokens;
  window_.reply_tokens = reply_tokens_of(limits_.reply_tokens, window_.context_tokens);
  keeper_.set_window(window_.context_tokens, window_.reply_tokens);
  keeper_.conversation().declare(std::move(tools));
  keeper_.conversation().append(text_message(Role::kSystem, ""),
                                {{PartKind::kSystem, std::move(system_prompt)}});
}

void Executor::show_file(const std::string& path) {
  grounding_.show(path);
  const Result<TreePath> file = existing_file(parts_.tools.tree, path);
  const Result<std::string> text =
      file ? read_text(parts_.tools.tree, *file, kMaxTextBytes) : Result<std::string>(file.error());
  if (!text) return;
  const LineTable table(*text);
  parts_.tools.views.show(file->absolute, table, {1, table.size()});
}

std::string_view Executor::used_up(int rounds_left) const {
  // The earlier run checked the limits of replayed rounds.
  const bool late = !parts_.answers.catching_up() && parts_.cancel.left_s() <= 0;
  const long long tokens = new_tokens() - before_turn_.tokens;
  if (late) return "time";
  if (rounds_left <= 0) return "rounds";
  if (parts_.answers.has_reply_ahead()) return "";
  const int rounds = rounds_ - before_turn_.rounds;
  if (limits_.max_rounds > 0 && rounds >= limits_.max_rounds) return "rounds";
  if (limits_.max_tokens > 0 && tokens >= limits_.max_tokens) return "tokens";
  if (limits_.max_cost > 0 && cost_ - before_turn_.cost >= limits_.max_cost) return "money";
  if (limits_.log_is_full && limits_.log_is_full()) return "log space";
  return "";
}

void Executor::count(const Usage& usage) {
  total_ += usage;
  if (limits_.cost) cost_ += limits_.cost(usage);
}

std::size_t Executor::result_allowance() const {
  return window_.result_allowance_bytes();
}

Result<PhaseOutcome> Executor::run_phase(const Phase& phase, const ToolSet& tools,
                                         const std::string& opening,
                                         const EvidenceCheck& evidence) {
  loop_guard_.clear();
  steering_.begin_phase();
  grounding_.begin_phase(phase);
  last_refusal_.clear();
  same_refusals_ = 0;
  plain_replies_ = 0;
  PEDRO_TRY(biases_, read_biases(limits_.logit_bias, phase.logit_bias, parts_.model_info.name));
  tell_unused_bias(phase);
  // The openings of the first turn contain the descriptions of described tools.
  const bool describes = tools.style() == ToolStyle::kDescribed && is_first_turn();
  next_.add_paragraph({.kind = phases_++ == 0 ? PartKind::kTask : PartKind::kOpening,
                       .text = opening,
                       .pinned = phase.stays || describes});
  PhaseOutcome outcome;
  int halves = 2 * phase.max_rounds;  // of rounds that are left; a refused one counts half
  for (int round = 1;; ++round) {
    if (is_extended_here(phase)) halves = 2 * phase.max_rounds;
    const int left = (halves + 1) / 2;
    outcome.ran_out = used_up(left);
    if (!outcome.ran_out.empty()) {
      outcome.end = PhaseEnd::kRounds;
      const Status limited = parts_.observer.on_phase_limited();
      return limited ? Result(std::move(outcome)) : limited.error();
    }
    if (round > 1) tell_rounds_left(left);
    PEDRO_RETURN_IF_ERROR(parts_.observer.on_round_started(phase.name, round));
    PEDRO_RETURN_IF_ERROR(pass_on_messages());
    next_.close_into(keeper_.conversation());
    PEDRO_TRY(const Reply reply, ask_until_new(phase, tools, left));
    outcome.rounds = round;
    PEDRO_TRY(Step step, act(phase, tools, reply, evidence));
    halves -= step.refused ? 1 : 2;
    tell(step, tools.style());
    if (step.end == PhaseEnd::kStuck && is_extended_here(phase)) {
      step.end.reset();
      loop_guard_.clear();
      same_refusals_ = 0;
    }
    if (step.end) {
      outcome.end = *step.end;
      const bool may_go_on = outcome.end == PhaseEnd::kStuck || outcome.end == PhaseEnd::kBlocked;
      PEDRO_RETURN_IF_ERROR(may_go_on ? parts_.observer.on_phase_limited() : Status());
      outcome.output = std::move(step.output);
      return outcome;
    }
  }
}

// Reports each configured bias that has no effect, once.
void Executor::tell_unused_bias(const Phase& phase) {
  const GenerationMode mode = phase.mode.value_or(limits_.mode);
  const bool has_grammar = mode == GenerationMode::kGrammar || mode == GenerationMode::kHybrid;
  const Capabilities& can = parts_.model_info.can;
  const bool is_used = has_grammar && can.grammar;
  if (can.token_ids && !can.logit_bias && !biases_.empty() && !std::exchange(told_logit_, true)) {
    parts_.observer.on_notice("logit_bias has no effect: the server ignores it");
  }
  if (limits_.tool_bias.empty() || is_used || std::exchange(told_bias_, true)) return;
  parts_.observer.on_notice(
      has_grammar ? "tool_bias has no effect: the server does not obey a grammar"
                  : fmt::format("tool_bias has no effect in mode {}", to_string(mode)));
}

// Adds the user's new messages to the next turn. They stay for the rest of the job.
Status Executor::pass_on_messages() {
  UserMessages messages(limits_.inbox, parts_.answers, parts_.tools.secrets);
  PEDRO_TRY(const std::vector<std::string> texts, messages.next());
  for (const std::string& text : texts) {
    const std::string told = parts_.feedback.text("told", {{"text", text}});
    next_.add_to_last({.kind = PartKind::kTask, .text = told, .pinned = true}, true);
    parts_.observer.on_notice(std::string(kUserSays) + text);
  }
  return {};
}

void Executor::tell_rounds_left(int left) {
  if (left > kWarnRounds) return;
  const std::string text = parts_.feedback.text("last_rounds", {{"rounds", std::to_string(left)}});
  next_.add_to_last({.kind = PartKind::kAdvice, .text = text}, false);
}

// Adds the answers to the next turn.
void Executor::tell(Step& step, ToolStyle style) {
  for (CallAnswer& answer : step.answers) {
    add_answer(next_, std::move(answer), style, parts_.feedback);
  }
  next_.add_to_last({.kind = PartKind::kAdvice, .text = std::move(step.note)}, true);
}

// Appends a reply. Declared tools match calls and results by id.
void Executor::append_reply(const Reply& reply, std::span<const FoundCall> calls, ToolStyle style) {
  ids_.clear();
  for (const auto& [call, repairs] : calls) {
    const std::string ours = fmt::format("call{:05}", ++numbered_);
    ids_.push_back({ours, call.id.empty() ? ours : call.id});
  }
  ChatMessage message = text_message(Role::kAssistant, "");
  std::string text;
  if (style == ToolStyle::kDescribed || calls.empty()) {
    text = reply.text;
  } else {
    text = text_beside_calls(reply);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      message.calls.push_back({ids_[i].models, calls[i].call.tool, to_line(calls[i].call.args)});
    }
  }
  keeper_.conversation().append(std::move(message), {{PartKind::kReply, std::move(text)}},
                                reply.usage.generated_tokens);
}

void Executor::trace_messages() {
  const Ledger& ledger = keeper_.conversation().ledger();
  const MessageId last = std::exchange(traced_, ledger.last_id());
  if (!parts_.trace.wants(TraceTopic::kPrompt)) return;
  for (std::size_t i = ledger.first_behind(last); i < ledger.messages().size(); ++i) {
    const ChatMessage& message = keeper_.request().messages[i];
    if (message.role == Role::kAssistant) continue;
    parts_.trace.sink(TraceTopic::kPrompt,
                      fmt::format("{}\n{}", to_string(message.role), text_of(message)));
  }
}

// Returns the only call of a reply if it is spent. A spent call was refused or repeated a result,
// and no call has acted since.
std::optional<ParsedCall> Executor::spent_call(const Reply& reply, const ToolSet& tools) const {
  const FoundCalls found = find_calls(reply, tools);
  if (found.calls.size() != 1 || !found.problem.empty()) return std::nullopt;
  const ParsedCall& call = found.calls.front().call;
  return loop_guard_.is_spent({"", call.tool, call.args}) ? std::optional(call) : std::nullopt;
}

// Returns false if a human plays the model. A human is asked only once.
bool Executor::samples_again() const {
  return limits_.grounding && !parts_.model_info.is_person;
}

// Samples again if a call repeats. From the third sample on, its action is excluded.
Result<Reply> Executor::ask_until_new(const Phase& phase, const ToolSet& tools, int rounds_left) {
  Result<Reply> reply = ask(phase, tools, rounds_left, 0);
  if (!samples_again()) return reply;
  for (int sample = 1; reply && sample <= kMoreSamples; ++sample) {
    const std::optional<ParsedCall> call = spent_call(*reply, tools);
    if (!call) return reply;
    if (sample > 1) grounding_.leave_out(call->tool, text_of(call->args, "action"));
    parts_.model.withdraw();
    reply = ask(phase, tools, rounds_left, sample);
  }
  return reply;
}

Result<Reply> Executor::ask(const Phase& phase, const ToolSet& tools, int rounds_left, int sample) {
  GenerateRequest request{.chat = keeper_.request()};
  request.calls = tools.calls();
  if (limits_.grounding) {
    PEDRO_TRY(const auto calls, grounding_.calls(tools, rounds_left));
    request.calls = calls;
  }
  request.mode = phase.mode.value_or(limits_.mode);
  request.biases = biases_;
  const std::vector<ToolBias> tool_biases = steering_.biases(phase, tools);
  request.tool_biases = tool_biases;
  request.temperature = phase.temperature.value_or(limits_.temperature);
  if (sample > 0) {
    request.temperature = std::max(request.temperature, kSampleTemperature);
    request.seed = static_cast<std::uint32_t>(sample);
  }
  request.max_tokens =
      std::min<long long>(window_.reply_tokens, phase.reply_tokens.value_or(window_.reply_tokens));
  request.thinking_tokens = phase.thinking_tokens.value_or(limits_.thinking_tokens);
  trace_messages();
  const Status fits = keeper_.fit(request);
  count(keeper_.take_usage());
  if (!fits) return fits.error();
  Result<Reply> reply = parts_.model.generate(request);
  for (int tries = 0; tries < kMaxShorterPrompts && !reply && reply.error().overflow; ++tries) {
    const Error refusal = reply.error();
    const Status shrunk = keeper_.shrink(request, *refusal.overflow);
    count(keeper_.take_usage());
    if (!shrunk) return cause_of(refusal, shrunk.error());
    reply = parts_.model.generate(request);
    if (!reply && !reply.error().overflow) reply = cause_of(refusal, reply.error());
  }
  return take(std::move(reply));
}

// Adds the usage of a reply to the totals and reports the reply.
Result<Reply> Executor::take(Result<Reply> reply) {
  if (!reply) return reply;
  keeper_.measured(reply->usage.prompt_tokens);
  ++rounds_;
  count(reply->usage);
  if (reply->expected_cached_tokens > reply->usage.cached_tokens) {
    cache_missed_ += reply->expected_cached_tokens - reply->usage.cached_tokens;
  }
  const long long apart = std::exchange(largest_apart_, 0);
  window_.prompt_tokens = apart > 0 ? apart : prompt_and_reply(reply->usage);
  PEDRO_RETURN_IF_ERROR(
      parts_.observer.on_reply(*reply, window_.prompt_tokens, window_.context_tokens));
  return reply;
}

Result<ToolResult> Executor::run_made_call(const std::string& tool, Json args) {
  if (parts_.cancel.signal() != 0) return Error{ErrorKind::kInterrupted, "interrupted"};
  const ToolCall call{fmt::format("call{:05}", ++numbered_), tool, std::move(args), true};
  ++calls_;
  PEDRO_RETURN_IF_ERROR(parts_.observer.on_call_started(call));
  Result<ToolResult> result = tools_.run(call, result_allowance());
  if (!result) return result;
  PEDRO_RETURN_IF_ERROR(parts_.observer.on_call_finished(call, *result, true));
  written_.insert(result->changed.begin(), result->changed.end());
  return result;
}

Result<Executor::Step> Executor::act(const Phase& phase, const ToolSet& tools, const Reply& reply,
                                     const EvidenceCheck& evidence) {
  const Feedback& feedback = parts_.feedback;
  parts_.tools.views.begin_reply();
  Step all;
  if (reply.stop != StopReason::kEnd) {
    append_reply(reply, {}, tools.style());
    all.note = feedback.text("cut", {{"tokens", std::to_string(reply.usage.generated_tokens)}});
    refuse_reply("cut off", reply, all);
    return all;
  }
  FoundCalls found = find_calls(reply, tools);
  plain_replies_ = found.calls.empty() ? plain_replies_ + 1 : 0;
  if (auto answer = plain_answer(phase, reply, plain_replies_)) {
    found.calls.push_back({*std::move(answer), {"the text is the answer"}});
  }
  append_reply(reply, found.calls, tools.style());
  all.refused = true;
  if (found.calls.empty()) {
    const std::string problem = found.problem.empty() ? feedback.text("no_call") : found.problem;
    all.note = feedback.text("not_a_call", {{"problem", problem}, {"calls", tools.how_to_call()}});
    refuse_reply(problem, reply, all);
    return all;
  }
  const bool alone = found.calls.size() == 1 && found.problem.empty();
  for (std::size_t i = 0; i < found.calls.size(); ++i) {
    const auto& [call, repairs] = found.calls[i];
    const bool finishes = call.tool == kPhaseComplete;
    const ToolCall end{ids_[i].ours, call.tool, call.args};
    PEDRO_TRY(CallAnswer answer, finishes && alone
                                     ? finish(phase, tools, end, repairs, evidence, all)
                                 : finishes ? refuse_mixed_finish(end)
                                            : run_call(tools, end, repairs, all));
    answer.call_id = ids_[i].models;
    answer.tool = call.tool;
    all.answers.push_back(std::move(answer));
  }
  if (!found.problem.empty()) {
    all.note = feedback.text("call_not_used", {{"problem", found.problem}});
  }
  return all;
}

Result<CallAnswer> Executor::finish(const Phase& phase, const ToolSet& tools,
                                    const ToolCall& written, std::vector<std::string> repairs,
                                    const EvidenceCheck& evidence, Step& step) {
  const Feedback& feedback = parts_.feedback;
  CheckedArgs checked = tools.check_finish(written.args);
  const bool is_blocked = reports_blocked(phase, checked.args);
  if (!checked.problem.empty()) {
    return refuse_finish(written, feedback.text("finish_refused", {{"problem", checked.problem}}),
                         false, step);
  }
  const ToolCall call{written.id, written.tool, std::move(checked.args)};
  // A model without a grammar can skip the tools and use only the prompt.
  const bool must_look = phase.evidence == Evidence::kLook && !grounding_.has_looked();
  if (must_look && samples_again() && parts_.model_info.can.grammar) {
    const std::string why = feedback.text("nothing_looked_at", {{"tools", tools.names()}});
    PEDRO_RETURN_IF_ERROR(report_refused(call, why, true));
    return CallAnswer{.ok = false, .text = why};  // the same end may be accepted later
  }
  if (is_blocked && !grounding_.has_called()) {
    return refuse_finish(call, feedback.text("blocked_without_call"), true, step);
  }
  PEDRO_TRY(std::optional<std::string> refusal, evidence(phase, call.args));
  if (refusal) {
    grounding_.record_refused_finish();
    return refuse_finish(call, *std::move(refusal), true, step);
  }
  if (is_blocked && is_extended_here(phase)) {  // the user resumed the job
    return refuse_finish(call, feedback.text("not_blocked"), true, step);
  }
  if (parts_.hooks != nullptr) {
    PEDRO_TRY(std::optional<std::string> blocked, parts_.hooks->before_end(phase.name, call.args));
    if (blocked) return refuse_finish(call, *std::move(blocked), true, step);
  }
  step.end = is_blocked ? PhaseEnd::kBlocked : PhaseEnd::kCompleted;
  // Masked, since commits, reports and comments contain it.
  step.output = masked_json(parts_.tools.secrets, call.args);
  ToolResult end{true, feedback.text("finish_accepted"), {}};
  repairs.insert(repairs.end(), checked.repairs.begin(), checked.repairs.end());
  add_repairs(end, std::move(repairs), feedback);
  if (!end.repaired.empty()) {
    parts_.observer.on_notice("phase_complete was corrected: " + join(end.repaired, "; "));
  }
  CallAnswer accepted{.text = std::move(end.text)};
  accepted.facts = std::make_shared<CallFacts>(facts_of_end(phase.name, step.output));
  return accepted;
}

// Counts equal refusals in a row. The third ends the phase.
void Executor::count_refusal(const std::string& why, Step& step) {
  same_refusals_ = why == last_refusal_ ? same_refusals_ + 1 : 1;
  last_refusal_ = why;
  if (same_refusals_ >= kMaxSameRefusals) step.end = PhaseEnd::kStuck;
}

// Reports a reply that is not used. Equal replies count as equal refusals.
void Executor::refuse_reply(const std::string& problem, const Reply& reply, Step& step) {
  ++unused_replies_;
  parts_.observer.on_notice(std::string(kReplyNotUsed) + problem);
  count_refusal(problem + "\n" + reply.text, step);
}

// Rewords a refusal that equals the previous one.
Result<CallAnswer> Executor::refuse_finish(const ToolCall& call, std::string why, bool valid,
                                           Step& step) {
  PEDRO_RETURN_IF_ERROR(report_refused(call, why, valid));
  loop_guard_.record({"", call.tool, call.args}, refuse(why));
  count_refusal(why, step);
  if (same_refusals_ > 1) {
    why = parts_.feedback.text("refused_again", {{"problem", why}});
  }
  return CallAnswer{.ok = false, .text = std::move(why)};
}

// Refuses phase_complete in a reply with other calls, which still run. This does not count towards
// the limit of repeated refusals.
Result<CallAnswer> Executor::refuse_mixed_finish(const ToolCall& call) {
  std::string why = parts_.feedback.text("mixed_finish");
  PEDRO_RETURN_IF_ERROR(report_refused(call, why, false));
  return CallAnswer{.ok = false, .text = std::move(why)};
}

// Reports a refused end of the phase like a failed call.
Status Executor::report_refused(const ToolCall& call, const std::string& why, bool valid) {
  ++refused_ends_;
  if (Status heard = parts_.observer.on_call_started(call); !heard) return heard;
  return parts_.observer.on_call_finished(call, refuse(why), valid);
}

bool Executor::acts(const ToolCall& call) const {
  const Manifest* tool = parts_.registry.find(call.tool);
  const ActionManifest* action = tool ? tool->find(text_of(call.args, "action")) : nullptr;
  return action != nullptr && action->permission != Permission::kRead;
}

Result<CallAnswer> Executor::run_call(const ToolSet& tools, ToolCall call,
                                      std::vector<std::string> repairs, Step& step) {
  if (parts_.cancel.signal() != 0) return Error{ErrorKind::kInterrupted, "interrupted"};
  ++calls_;
  PEDRO_RETURN_IF_ERROR(parts_.observer.on_call_started(call));
  CheckedArgs checked = tools.check_call(call);
  const std::string& problem = checked.problem;
  if (problem.empty()) call.args = std::move(checked.args);
  Result<ToolResult> result =
      problem.empty() ? tools_.run(call, result_allowance()) : Result<ToolResult>(refuse(problem));
  if (!result) return result.error();
  if (!problem.empty()) ++invalid_calls_;
  repairs.insert(repairs.end(), checked.repairs.begin(), checked.repairs.end());
  if (problem.empty()) add_repairs(*result, std::move(repairs), parts_.feedback);
  step.refused = step.refused && !problem.empty();
  PEDRO_RETURN_IF_ERROR(parts_.observer.on_call_finished(call, *result, problem.empty()));
  written_.insert(result->changed.begin(), result->changed.end());
  // Reduces the allowance for the next result of the same reply. The next reply sets the exact
  // count.
  window_.prompt_tokens += parts_.model.count_text(result->text);
  steering_.record(call, *result);
  grounding_.record(call, *result);
  const int times = loop_guard_.record(call, *result, acts(call));
  const ToolCall shown{call.id, call.tool, masked_json(parts_.tools.secrets, call.args)};
  CallAnswer answer{.heading = name_of(shown), .ok = result->ok, .text = std::move(result->text)};
  answer.pinned = result->pinned;
  answer.kept_as = std::move(result->kept_as);
  answer.facts = std::make_shared<CallFacts>(facts_of(shown, *result));
  if (times >= LoopGuard::kHintAt) {
    answer.text += parts_.feedback.text("repeated", {{"times", std::to_string(times)}});
  }
  if (times >= LoopGuard::kStuckAt) step.end = PhaseEnd::kStuck;
  return answer;
}

}  // namespace pedro
