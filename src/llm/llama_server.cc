#include "llm/llama_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/text.h"
#include "llm/cache_shift.h"
#include "llm/reply_recovery.h"
#include "llm/token_bias.h"
#include "schema_to_gbnf/call_schema.h"

namespace pedro {
namespace {

bool is_one_call(const Reply& reply) {
  return reply.parts.size() == 1 && std::holds_alternative<ParsedCall>(reply.parts.front());
}

StopReason stop_reason(WrittenReply::End end) {
  if (end == WrittenReply::End::kLoop) return StopReason::kLoop;
  return end == WrittenReply::End::kCut ? StopReason::kLimit : StopReason::kEnd;
}

}  // namespace

LlamaServer::LlamaServer(Http& http, ServerOptions options, Settings settings,
                         VocabularyStore& vocabularies, GenerateEvents events, const Clock& clock,
                         const CancelToken& cancel)
    : client_(http, std::move(options), cancel),
      vocabularies_(vocabularies),
      settings_(std::move(settings)),
      slot_(client_, events_, clock),
      steering_(settings_.steering),
      events_(std::move(events)),
      clock_(clock),
      cancel_(cancel) {}

void LlamaServer::notice(std::string_view message) const {
  if (events_.on_notice) events_.on_notice(message);
}

Result<std::optional<ProbeResult>> LlamaServer::check_tokens() {
  if (server_.local == nullptr) return std::optional<ProbeResult>();
  ServerTokenizer server(client_.poster());
  PEDRO_TRY(ProbeResult result, probe_tokens(*server_.local, server));
  return std::optional<ProbeResult>(std::move(result));
}

Result<ModelInfo> LlamaServer::open() {
  PEDRO_RETURN_IF_ERROR(server_.open(
      client_, settings_, vocabularies_, [this](std::string_view message) { notice(message); },
      clock_));
  transcript_.emplace(server_.format->family(), server_.tokenizer_of_turns());
  encoder_.emplace(*server_.tokenizer);
  slot_.use_slot(server_.details.slot, *server_.tokenizer);
  slot_.use_sampling(server_.sampling);
  const bool traces = client_.options().trace.wants(TraceTopic::kHttp);
  if (server_.details.slots > 1 && settings_.make_http && !traces) {
    extra_.emplace(settings_.make_http, client_.options(), *server_.tokenizer, server_.sampling,
                   clock_, cancel_);
  }
  return server_.info;
}

Result<std::string> LlamaServer::served_model() {
  PEDRO_TRY(const Json props, client_.get_of_model("/props"));
  const long long window = number_of(member(props, "default_generation_settings"), "n_ctx");
  return fmt::format("{} {} {}", text_of(props, "model_path"), window,
                     text_of(props, "chat_template"));
}

void LlamaServer::trace_grammar(const std::string& grammar) {
  const Trace& trace = client_.options().trace;
  if (!trace.wants(TraceTopic::kGrammar) || grammar == traced_grammar_) return;
  traced_grammar_ = grammar;
  trace.sink(TraceTopic::kGrammar, (lead_ != nullptr ? to_text(*lead_) + "\n" : "") + grammar);
}

// Reports each missing feature once.
ReplyHold LlamaServer::hold_of(const GenerateRequest& request) {
  const HoldChoice choice = choose_hold(request.mode, server_.info.can, false);
  if (!choice.notice.empty() && told_.insert(choice.notice).second) notice(choice.notice);
  return choice.hold;
}

Result<std::optional<long long>> LlamaServer::count_prompt(const GenerateRequest& request) {
  PEDRO_RETURN_IF_ERROR(extend(request));
  return std::optional(static_cast<long long>(transcript_->ids().size()));
}

long long LlamaServer::count_text(std::string_view text) {
  if (server_.local == nullptr) return Model::count_text(text);
  const Result<std::size_t> count = server_.local->count(text, Specials::kNone);
  return count ? static_cast<long long>(*count) : Model::count_text(text);
}

Status LlamaServer::compacted(const ChatRequest& chat, std::span<const std::size_t> origins) {
  std::vector<TokenId> before;
  if (server_.info.can.shifts_cache && !compacted_) before = transcript_->ids();
  before.resize(std::min(before.size(), static_cast<std::size_t>(transcript_->expected_cached())));
  if (Status done = transcript_->compact(chat, origins); !done) return done;
  slot_.forget_prompt();
  thought_.reset();
  const auto kept = static_cast<long long>(kept_by_shift(before, transcript_->ids(), kShortestRun));
  shifted_ = std::max(0LL, kept - transcript_->expected_cached());
  compacted_ = true;
  return {};
}

// The slot keeps the common prefix of both conversations.
Result<Reply> LlamaServer::ask_aside(const GenerateRequest& request) {
  const Transcript kept = *transcript_;
  transcript_->forget_open_turn();
  slot_.forget_prompt();
  thought_.reset();
  Result<Reply> reply = generate(request);
  transcript_.emplace(kept);
  slot_.forget_prompt();
  thought_.reset();
  return reply;
}

// Generates the first replies at the same time. The requests that follow take them.
Result<std::size_t> LlamaServer::together(std::span<const GenerateRequest> requests) {
  if (!extra_ || requests.size() < 2) return 1;
  extra_->forget();
  if (Status used = extra_->use_idle(client_, server_.details.slot, server_.details.slots); !used)
    return used.error();
  std::deque<std::vector<TokenId>> prompts;
  std::vector<CompletionRequest> asks;
  for (const GenerateRequest& request : requests.first(std::min(requests.size(), extra_->size()))) {
    const bool is_plain = request.mode == GenerationMode::kUnconstrained &&
                          request.thinking_tokens <= 0 && request.biases.empty();
    begin_anew();
    if (!is_plain || !extend(request)) break;
    const Result<long long> room = room_left();
    if (!room) break;
    asks.push_back(text_request(request, *room));
    asks.back().biases = {};
    asks.back().prompt = prompts.emplace_back(transcript_->ids());
  }
  begin_anew();
  const std::size_t width =
      extra_->width_of(asks, requests.size(), server_.info.context_tokens, pace_);
  if (width < 2) return 1;
  const std::size_t complete = extra_->complete(std::span(asks).first(width), slot_, pace_);
  begin_anew();
  if (cancel_.cancelled()) return Error{ErrorKind::kInterrupted, "interrupted"};
  return std::max<std::size_t>(1, complete);
}

void LlamaServer::begin_anew() {
  transcript_.emplace(server_.format->family(), server_.tokenizer_of_turns());
  slot_.forget_prompt();
  thought_.reset();
  compacted_ = false;
  shifted_ = 0;
}

void LlamaServer::withdraw() {
  transcript_->withdraw_reply();
  slot_.forget_prompt();
  thought_.reset();
}

Result<long long> LlamaServer::room_left() const {
  const long long prompt = static_cast<long long>(transcript_->ids().size());
  const long long room = server_.info.context_tokens - 1 - prompt;
  if (room >= kShortestReply) return room;
  return Error{ErrorKind::kLimit,
               fmt::format("the conversation has {} tokens and fills the window of {}; start the "
                           "server with a larger -c",
                           prompt, server_.info.context_tokens),
               Overflow{prompt, server_.info.context_tokens}};
}

// Ends the prompt with the reply's prefix: the opening of thinking, else the lead of a call under a
// grammar.
Status LlamaServer::extend(const GenerateRequest& request) {
  const bool begun = hold_of(request) == ReplyHold::kGrammar;
  const bool thinks = request.thinking_tokens > 0 && server_.format->thinking();
  lead_ = !begun ? nullptr : thinks ? &server_.format->thinking()->lead : &server_.format->lead();
  if (thought_) return {};
  transcript_->open_as(thinks ? server_.format->thinking()->family : server_.format->family());
  return transcript_->extend(request.chat, thinks ? &server_.format->thinking()->form.open : lead_);
}

Status LlamaServer::think(const GenerateRequest& request) {
  if (thought_ || request.thinking_tokens <= 0 || !server_.format->thinking()) return {};
  const ServedFormat::Thinking& thinking = *server_.format->thinking();
  PEDRO_TRY(const long long room, room_left());
  const auto ask = [&](std::string_view stop) {
    CompletionRequest one = completion(request, false);
    one.bans = server_.format->bans_in_thinking();
    one.kept_tokens = server_.format->kept_in_thinking();
    one.biases = {};
    one.stop = stop;
    one.max_tokens = std::min(request.thinking_tokens, std::max(1LL, room / 2));
    return complete(one);
  };
  PEDRO_TRY(Thought thought,
            pedro::think(thinking.form, lead_ != nullptr ? *lead_ : Prompt{}, *encoder_, ask));
  thought_expected_ = expected_cached();
  transcript_->begun(thought.ids, thought.evaluated);
  thought_ = std::move(thought);
  return {};
}

// Counts only evaluated tokens of the prompt after thinking.
void LlamaServer::add_thought(Reply& reply) {
  if (!thought_) return;
  reply.thinking = std::move(thought_->text);
  Usage& usage = reply.usage;
  const long long missed = std::max(0LL, reply.expected_cached_tokens - usage.cached_tokens);
  usage.prompt_tokens -= usage.cached_tokens;
  usage.cached_tokens = 0;
  usage += thought_->usage;
  reply.expected_cached_tokens = thought_expected_ + missed;
  thought_.reset();
}

Result<Reply> LlamaServer::generate(const GenerateRequest& request) {
  const ReplyHold hold = hold_of(request);
  discarded_.clear();
  PEDRO_RETURN_IF_ERROR(extend(request));
  PEDRO_RETURN_IF_ERROR(think(request));
  PEDRO_TRY(const long long room, room_left());
  bias_rows_.find(request.biases, *server_.tokenizer, client_.options().trace,
                  [this](std::string_view message) { notice(message); });
  trace_tool_biases(client_.options().trace, request.tool_biases,
                    hold == ReplyHold::kGrammar ? "added where the call's tool is chosen"
                                                : "no effect, the reply is not under a grammar");
  Result<Reply> reply = hold == ReplyHold::kGrammar  ? write_call(request, room)
                        : hold == ReplyHold::kSchema ? write_json(request, room)
                                                     : write_text(request, room);
  const bool refused = !reply && client_.refusal().status != 0 && !reply.error().overflow;
  if (refused && hold != ReplyHold::kNothing && request.mode == GenerationMode::kHybrid) {
    notice(fmt::format("{}; continuing without a {}, as free text", reply.error().message,
                       hold == ReplyHold::kGrammar ? "grammar" : "JSON Schema"));
    reply = write_text(request, room);
  }
  if (!reply) return reply;
  add_thought(*reply);
  reply->tokens = transcript_->last_reply();
  reply->discarded = std::move(discarded_);
  const bool counts = reply->usage.prompt_tokens > 0;  // a prompt is never empty
  if (!std::exchange(cache_known_, true) || !counts) {
    reply->expected_cached_tokens = -1;
    reply->miss.reset();
  }
  return reply;
}

// A cache with moved ids has no single end.
std::optional<CacheMiss> LlamaServer::miss_in(const Usage& usage) {
  const auto& ids = transcript_->ids();
  const auto end = std::min(static_cast<long long>(ids.size()), expected_cached());
  if (shifted_ > 0 || usage.cached_tokens < 0 || usage.cached_tokens >= end) return std::nullopt;
  const TokenId id = ids[static_cast<std::size_t>(usage.cached_tokens)];
  const Result<std::string> piece = server_.tokenizer->piece(id);
  return CacheMiss{usage.cached_tokens, id, piece ? *piece : ""};
}

// The server's cache is unknown: an earlier process made the request.
Status LlamaServer::restore(const GenerateRequest& request, const Reply& reply, Asked where) {
  if (where == Asked::kAside) return {};
  if (!reply.tokens) return Error{ErrorKind::kModel, "the tokens of an earlier reply are missing"};
  if (Status extended = extend(request); !extended) return extended;
  transcript_->restore(*reply.tokens);
  compacted_ = false;
  cache_known_ = false;
  return {};
}

CompletionRequest LlamaServer::completion(const GenerateRequest& request, bool constrained) const {
  return {.prompt = transcript_->ids(),
          .bans = server_.format->bans(constrained),
          .biases = bias_rows_.json(),
          .kept_tokens = server_.format->kept_tokens(),
          .seed = request.seed,
          .ends_at_loop = request.ends_at_loop,
          .temperature = request.temperature};
}

// Samples again if an answer repeats itself.
Result<Completion> LlamaServer::complete(CompletionRequest request) {
  const std::optional<std::uint32_t> seed = request.seed;
  Usage cut;
  for (;;) {
    PEDRO_TRY(Completion answer, complete_once(request));
    const long long tokens = answer.usage.generated_tokens;
    answer.usage = sum_of_tries(cut, answer.usage);
    const bool is_last = request.ends_at_loop || discarded_.size() >= kMaxResamples;
    if (answer.end != CompletionEnd::kLoop || is_last) return answer;
    cut = answer.usage;
    discarded_.push_back(tokens);
    notice(resample_notice(tokens));
    request.seed = other_seed(seed, discarded_.size());
    request.temperature = std::max(request.temperature, kResampleTemperature);
    request.penalizes_repetition = true;
  }
}

// Retries a failed request, finally without biases.
Result<Completion> LlamaServer::complete_once(CompletionRequest& request) {
  if (extra_) {
    if (std::optional<Completion> early = extra_->take(request)) return *std::move(early);
  }
  ReplyRecovery recovery(client_);
  request.shortest_run = compacted_ && server_.info.can.shifts_cache ? kShortestRun : 0;
  for (;;) {
    Result<Completion> answer = slot_.complete(request);
    if (answer) {
      compacted_ = false;
      pace_.add(answer->usage);
      return answer;
    }
    const ReplyRecovery::Step step = recovery.next(answer.error(), !bias_rows_.json().empty());
    if (step == ReplyRecovery::Step::kGiveUp) return answer;
    if (step == ReplyRecovery::Step::kAskWithoutBias) bias_rows_.drop();
    if (bias_rows_.json().empty())
      request.biases = {};  // also omits the tool biases of this request
  }
}

CompletionRequest LlamaServer::text_request(const GenerateRequest& request, long long room) const {
  CompletionRequest ask = completion(request, false);
  if (server_.info.can.grammar) ask.grammar = request.text_grammar;
  ask.stops = request.stops;
  ask.max_tokens = std::min(request.max_tokens, room);
  return ask;
}

Result<Reply> LlamaServer::write_text(const GenerateRequest& request, long long room) {
  PEDRO_TRY(const Completion answer, complete(text_request(request, room)));
  return take_text(request, answer);
}

Result<Reply> LlamaServer::write_json(const GenerateRequest& request, long long room) {
  const std::string schema = to_line(call_schema(request.calls));
  trace_grammar(schema);
  CompletionRequest ask = completion(request, true);
  ask.json_schema = schema;
  ask.max_tokens = std::min(request.max_tokens, room);
  PEDRO_TRY(const Completion answer, complete(ask));
  Reply reply = take_text(request, answer);
  if (reply.stop == StopReason::kEnd && !is_one_call(reply)) tell_disobeyed("JSON Schema");
  return reply;
}

Reply LlamaServer::take_text(const GenerateRequest& request, const Completion& answer) {
  Reply reply;
  reply.text = (lead_ != nullptr ? to_text(*lead_) : "") + answer.text;
  reply.stop = answer.end == CompletionEnd::kLimit  ? StopReason::kLimit
               : answer.end == CompletionEnd::kLoop ? StopReason::kLoop
                                                    : StopReason::kEnd;
  if (reply.stop == StopReason::kEnd)
    reply.parts = server_.format->read(reply.text, request.calls, thought_.has_value());
  reply.usage = answer.usage;
  reply.expected_cached_tokens = expected_cached();
  reply.miss = miss_in(reply.usage);
  shifted_ = 0;
  transcript_->generated(answer.tokens, answer.end == CompletionEnd::kToken, ReplyEnd::kByModel,
                         answer.exact);
  return reply;
}

void LlamaServer::tell_disobeyed(std::string_view what) const {
  notice(
      fmt::format("the server did not obey the {}: the reply counts as text, and calls in it are "
                  "checked; `pedrocli doctor` shows what the server can do",
                  what));
}

Result<Reply> LlamaServer::write_call(const GenerateRequest& request, long long room) {
  const CallGrammar& grammar = server_.format->grammar(request.calls);
  trace_grammar(grammar.text);
  PEDRO_TRY(GrammarPlace place, GrammarPlace::begin(grammar.grammar));
  const Steering steering = steering_.next();
  const std::vector<NamedTool> tools = server_.format->tools(request.calls);
  const CallManner manner{.staged = steering == Steering::kStaged,
                          .value_end = server_.format->value_end(),
                          .max_tokens = request.max_tokens,
                          .room = room,
                          .bias = request.tool_biases,
                          .whole_grammar = grammar.text};
  std::size_t shown = 0;  // bytes of the reply that on_text has received
  const AskStage ask = [&](const StageRequest& stage) {
    if (events_.on_text && stage.text.size() > shown) events_.on_text(stage.text.substr(shown), 0);
    CompletionRequest one = completion(request, true);
    const std::string biases = to_json_rows(stage.biases);
    const Trace& trace = client_.options().trace;
    if (!biases.empty() && trace.wants(TraceTopic::kTokens)) {
      trace.sink(TraceTopic::kTokens, "bias of the tokens that choose a tool: " + biases);
    }
    one.begun = stage.begun;
    one.grammar = stage.grammar;
    if (stage.is_name) one.biases = biases;
    one.stop = stage.stop;
    one.max_tokens = stage.max_tokens;
    Result<Completion> answer = complete(one);
    shown = stage.text.size() + (answer ? answer->text.size() : 0);
    return answer;
  };
  const long long began_ms = clock_.ticks_ms();
  PEDRO_TRY(
      WrittenReply call,
      StagedCall(std::move(place), tools, manner, *encoder_, *server_.tokenizer, ask).write());
  const bool whole = call.end == WrittenReply::End::kWhole;
  if (whole) {
    const double took_ms = static_cast<double>(clock_.ticks_ms() - began_ms);
    steering_.record(steering, took_ms - call.first_prompt_ms, call.ids.size());
    if (const std::string news = steering_.news(); !news.empty()) notice(news);
  }
  Reply reply;
  reply.stop = stop_reason(call.end);
  const ReplyEnd end = whole ? server_.format->end_of_call(call.text) : ReplyEnd::kByModel;
  reply.text =
      server_.format->whole_call(*lead_, call.text, whole ? StopReason::kEnd : StopReason::kLimit);
  if (reply.stop == StopReason::kEnd)
    reply.parts = server_.format->read(reply.text, request.calls, thought_.has_value());
  const bool disobeyed = call.end == WrittenReply::End::kDisobeyed;
  if (disobeyed || (whole && !is_one_call(reply))) {
    tell_disobeyed("grammar");
  }
  reply.usage = call.usage;
  reply.expected_cached_tokens = expected_cached() + call.missed_cache;
  reply.miss = miss_in(reply.usage);
  shifted_ = 0;
  transcript_->written(call.ids, call.evaluated, end);
  return reply;
}

}  // namespace pedro
