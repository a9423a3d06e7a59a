#include "llm/llama_server.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "format/format_tokens.h"
#include "llm/llama_template.h"
#include "llm/reply_recovery.h"
#include "llm/slot_watch.h"
#include "llm/token_bias.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr std::string_view kProbeWord = "qzxjkv";
constexpr long long kShortestReply = 64;

Usage usage_of(const Json& final_event) {
  const Json& timings = member(final_event, "timings");
  Usage usage;
  usage.prompt_tokens = number_of(final_event, "tokens_evaluated");
  usage.cached_tokens = number_of(timings, "cache_n");
  usage.generated_tokens = number_of(final_event, "tokens_predicted");
  usage.prompt_ms = real_of(timings, "prompt_ms");
  usage.generate_ms = real_of(timings, "predicted_ms");
  return usage;
}

std::string why(const ChosenFormat& chosen, bool named) {
  if (named) return "as it was asked for";
  if (chosen.is_learned) return "from the server's chat template";
  return chosen.likeness == ChosenFormat::Likeness::kAll
             ? "the server's chat template writes the same"
             : "the server's chat template writes the same turns, but other tools";
}

bool is_one_call(const Reply& reply) {
  return reply.parts.size() == 1 && std::holds_alternative<ParsedCall>(reply.parts.front());
}

ServerOptions for_watching(ServerOptions options) {
  options.retry.max_attempts = 1;
  options.answer_timeout_s = std::min(options.answer_timeout_s, options.idle_timeout_s);
  options.on_notice = nullptr;
  options.trace = {};
  return options;
}

}  // namespace

LlamaServer::LlamaServer(Http& http, Http& watch_http, ServerOptions options, std::string format,
                         long long context_tokens, VocabularyStore& vocabularies,
                         GenerateEvents events, const Clock& clock, const CancelToken& cancel)
    : client_(http, options, cancel),
      watch_client_(watch_http, for_watching(std::move(options)), cancel),
      vocabularies_(vocabularies),
      format_name_(std::move(format)),
      events_(std::move(events)),
      clock_(clock),
      context_tokens_(context_tokens) {}

Status LlamaServer::choose_tokenizer(const Json& props) {
  Result<ServerChoice> choice = pedro::choose_tokenizer(
      served_model(props), vocabularies_, std::make_unique<ServerTokenizer>(client_.poster()));
  if (!choice) return choice.error();
  tokenizer_ = std::move(choice->tokenizer);
  local_ = choice->local;
  details_.tokenizer = tokenizer_->provider_name();
  details_.tokenizer_why = std::move(choice->why);
  details_.tokenizer_mismatch = choice->mismatch;
  if (choice->mismatch && events_.on_notice) {
    events_.on_notice("tokens are made by " + details_.tokenizer_why);
  }
  const Trace& trace = client_.options().trace;
  if (trace.wants(TraceTopic::kTokens)) {
    traced_.emplace(*tokenizer_, details_.tokenizer_why, trace, clock_);
  }
  return {};
}

Result<std::optional<ProbeResult>> LlamaServer::check_tokens() {
  if (local_ == nullptr) return std::optional<ProbeResult>();
  ServerTokenizer server(client_.poster());
  Result<ProbeResult> result = probe_tokens(*local_, server);
  if (!result) return result.error();
  return std::optional<ProbeResult>(*std::move(result));
}

Tokenizer& LlamaServer::tokenizer_of_turns() {
  return traced_ ? static_cast<Tokenizer&>(*traced_) : *tokenizer_;
}

Status LlamaServer::pick_slot(int slots) {
  details_.slots = slots;
  const Result<Json> list = client_.get("/slots");
  if (!list && list.error().kind == ErrorKind::kInterrupted) return list.error();
  details_.shows_slots = list.ok() && list->is_array();
  if (!details_.shows_slots) return {};  // --no-slots: the first will do
  for (const Json& slot : *list) {
    if (truth_of(slot, "is_processing")) continue;
    details_.slot = static_cast<int>(number_of(slot, "id"));
    return {};
  }
  return {};
}

Result<ChosenFormat> LlamaServer::choose_family() {
  LlamaTemplate served(client_);
  const bool named = format_name_ != "auto";
  Result<ChosenFormat> chosen =
      choose_format(served, tokenizer_of_turns(), named ? format_name_ : std::string());
  if (!chosen) return chosen;
  if (!named && chosen->likeness == ChosenFormat::Likeness::kNone) {
    return Error{
        ErrorKind::kModel,
        "the server's chat template writes turns in a way that cannot be learned; choose a "
        "format with -format or model.format (`pedrocli format learn` says what differs)"};
  }
  details_.format_why = why(*chosen, named);
  // A reply that is to be a call is not to be thought about in the open.
  if (auto* rules = std::get_if<TurnRules>(&chosen->family.rules)) {
    if (rules->reply_after_result == rules->reply) {
      rules->reply_after_result = chosen->reply_without_thinking;
    }
    rules->reply = chosen->reply_without_thinking;
  }
  return chosen;
}

// What was recognised has the model's tokens; what was asked for by name may not.
Status LlamaServer::check_named_format(const FormatFamily& family) {
  if (format_name_ != family.name) return {};
  Result<MissingTokens> missing = missing_tokens(family, tokenizer_of_turns());
  if (!missing) return missing.error();
  if (!missing->control.empty()) {
    return Error{ErrorKind::kUsage,
                 fmt::format("format {}: the model's vocabulary has no {}: the model is of another "
                             "family. With -format auto (model.format) its own is found; `pedrocli "
                             "format list` has all of them",
                             family.name, some_of(missing->control))};
  }
  details_.spelled_tags = std::move(missing->tags);
  if (!details_.spelled_tags.empty() && events_.on_notice) {
    events_.on_notice(fmt::format("format {}: no tokens of the model, written as text: {}",
                                  family.name, some_of(details_.spelled_tags)));
  }
  return {};
}

// A server that cannot parse or apply a grammar may answer 200 and ignore it.
Result<bool> LlamaServer::probe_grammar() {
  const auto prompt = tokenizer_->encode("x", Specials::kNone);
  if (!prompt) return prompt.error();
  // Another slot where there is one, so that this one keeps what it has in its cache.
  const int slot = details_.slots > 1 ? (details_.slot + 1) % details_.slots : details_.slot;
  std::string body = to_line({{"model", client_.options().model},
                              {"prompt", *prompt},
                              {"n_predict", 16},
                              {"temperature", 0},
                              {"id_slot", slot},
                              {"stream", !details_.shows_slots},
                              {"grammar", fmt::format("root ::= \"{}\"", kProbeWord)}});
  // As patiently as for any reply: the model may be slow, or the slot busy.
  const Result<Json> answer = complete(body, slot);
  if (!answer) return answer.error();
  return text_of(*answer, "content") == kProbeWord;
}

Result<ModelInfo> LlamaServer::open() {
  if (Status ready = client_.wait_until_ready(); !ready) return ready.error();
  const Result<Json> props = client_.props();
  if (!props) return props.error();
  ModelInfo info;
  info.backend = "llamacpp";
  info.name = text_of(*props, "model_alias");
  if (info.name.empty()) info.name = text_of(*props, "model_path", "unnamed");
  info.name = base_name(info.name);
  const long long server_context =
      number_of(member(*props, "default_generation_settings"), "n_ctx");
  if (context_tokens_ == 0 || (server_context > 0 && context_tokens_ > server_context)) {
    context_tokens_ = server_context;
  }
  if (context_tokens_ <= 0) {
    return Error{ErrorKind::kModel,
                 client_.options().url +
                     ": the server does not say how large its context is; set model.context_size"};
  }
  info.context_tokens = context_tokens_;
  details_.build = text_of(*props, "build_info");
  if (Status slot = pick_slot(static_cast<int>(number_of(*props, "total_slots", 1))); !slot) {
    return slot.error();
  }

  if (Status chosen = choose_tokenizer(*props); !chosen) return chosen.error();

  Result<ChosenFormat> chosen = choose_family();
  if (!chosen) return chosen.error();
  if (Status known = check_named_format(chosen->family); !known) return known.error();
  Result<ServedFormat> format =
      ServedFormat::open(*std::move(chosen), tokenizer_of_turns(), local_,
                         text_of(*props, "chat_template"), text_of(*props, "eos_token"));
  if (!format) return format.error();
  format_.emplace(*std::move(format));
  details_.control_tokens = format_->banned();
  info.format = format_->family().name;
  info.has_tools = format_->has_tools();
  info.syntax = format_->syntax();
  info.takes_bodies = format_->takes_bodies();
  transcript_.emplace(format_->family(), tokenizer_of_turns());

  const Result<bool> enforced = probe_grammar();
  if (!enforced) return enforced.error();
  grammar_enforced_ = *enforced;
  info.grammar_enforced = grammar_enforced_;
  return info;
}

void LlamaServer::write_body(const GenerateRequest& request, bool constrained,
                             long long n_predict) {
  if (body_.empty()) {
    body_ = "{\"prompt\":[";
  } else {
    body_.resize(body_prefix_);
  }
  const std::vector<TokenId>& ids = transcript_->ids();
  for (; body_ids_ < ids.size(); ++body_ids_) {
    fmt::format_to(std::back_inserter(body_), "{}{}", body_ids_ == 0 ? "" : ",", ids[body_ids_]);
  }
  body_prefix_ = body_.size();
  const bool stream = !details_.shows_slots;
  const Json rest = {{"model", client_.options().model},
                     {"n_predict", n_predict},
                     {"temperature", request.temperature},
                     {"id_slot", details_.slot},
                     {"cache_prompt", true},
                     {"stream", stream},
                     {"return_tokens", true},
                     {"return_progress", stream},
                     // Without this the prompt comes back as text, all of it, every time.
                     {"response_fields",
                      {"content", "tokens", "stop", "stop_type", "tokens_predicted",
                       "tokens_evaluated", "timings"}},
                     {"preserved_tokens", format_->kept_tokens()},
                     {"grammar", constrained ? format_->grammar(request.calls) : ""}};
  const std::string& bans = format_->bans(constrained);
  const bool both = !bans.empty() && !bias_rows_.empty();
  body_ += fmt::format("],\"logit_bias\":[{}{}{}],", bans, both ? "," : "", bias_rows_);
  body_ += to_line(rest).substr(1);
}

Result<Json> LlamaServer::complete(std::string& body, int slot) {
  return details_.shows_slots ? complete_whole(body, slot) : complete_streamed(body);
}

// The answer as one event; progress is asked for beside it.
Result<Json> LlamaServer::complete_whole(std::string& body, int slot) {
  SlotWatch watch(watch_client_, slot, events_, clock_, client_.options().idle_timeout_s);
  return client_.post_watched("/completion", body, [&watch] { return watch.look(); });
}

// The same answer put together from a stream.
Result<Json> LlamaServer::complete_streamed(std::string& body) {
  Json last;
  std::string text;
  Json tokens = Json::array();
  const Status sent = client_.stream_json("/completion", body, [&](const Json& event) {
    const Json& progress = member(event, "prompt_progress");
    if (progress.is_object()) {  // its "tokens" are no tokens of the reply
      if (events_.on_prefill) {
        events_.on_prefill(number_of(progress, "processed"), number_of(progress, "total"));
      }
      return;
    }
    text += text_of(event, "content");
    for (const Json& token : member(event, "tokens")) tokens.push_back(token);
    if (events_.on_generated) events_.on_generated(number_of(event, "tokens_predicted"));
    if (truth_of(event, "stop")) last = event;
  });
  if (!sent) return sent.error();
  if (!last.is_object()) {
    return Error{ErrorKind::kModel,
                 client_.options().url + "/completion: the answer broke off before its last event"};
  }
  last["content"] = std::move(text);
  last["tokens"] = std::move(tokens);
  return last;
}

void LlamaServer::trace_grammar(const std::string& grammar) {
  const Trace& trace = client_.options().trace;
  if (!trace.wants(TraceTopic::kGrammar) || grammar == traced_grammar_) return;
  traced_grammar_ = grammar;
  trace.sink(TraceTopic::kGrammar, to_text(format_->lead()) + "\n" + grammar);
}

// Once for the same texts. Where it fails the job goes on without.
void LlamaServer::find_bias_rows(std::span<const BiasedText> texts) {
  if (std::equal(texts.begin(), texts.end(), biased_.begin(), biased_.end())) return;
  biased_.assign(texts.begin(), texts.end());
  bias_rows_.clear();
  const Result<std::vector<TextBias>> found = find_biases(texts, *tokenizer_);
  if (!found) {
    if (events_.on_notice) {
      events_.on_notice("logit_bias is left out, for its texts could not be tokenized: " +
                        found.error().message);
    }
    return;
  }
  bias_rows_ = to_json_rows(token_biases(*found));
  const Trace& trace = client_.options().trace;
  if (!trace.wants(TraceTopic::kTokens)) return;
  for (const TextBias& one : *found) trace.sink(TraceTopic::kTokens, "bias " + to_text(one));
}

// What the server cannot do at once it may do at the second try, or without biases.
Result<Json> LlamaServer::ask(const GenerateRequest& request, bool constrained,
                              long long n_predict) {
  ReplyRecovery recovery(client_);
  for (;;) {
    write_body(request, constrained, n_predict);
    Result<Json> answer = complete(body_, details_.slot);
    if (answer) return answer;
    const ReplyRecovery::Step step = recovery.next(answer.error(), !bias_rows_.empty());
    if (step == ReplyRecovery::Step::kGiveUp) return answer;
    if (step == ReplyRecovery::Step::kAskWithoutBias) bias_rows_.clear();
  }
}

void LlamaServer::tell_disobedience() {
  if (!events_.on_notice) return;
  events_.on_notice(
      "the server did not obey the grammar: the reply counts as text, and what is a call in it is "
      "checked; `pedrocli doctor` says what the server can do");
}

Result<Reply> LlamaServer::generate(const GenerateRequest& request) {
  const bool constrained = request.constrained && grammar_enforced_;
  const Status extended =
      transcript_->extend(request.chat, constrained ? &format_->lead() : nullptr);
  if (!extended) return extended.error();
  const long long prompt = static_cast<long long>(transcript_->ids().size());
  const long long room = context_tokens_ - 1 - prompt;
  if (room < kShortestReply) {
    return Error{ErrorKind::kLimit,
                 fmt::format("the conversation has {} tokens and fills the window of {}; start the "
                             "server with a larger -c",
                             prompt, context_tokens_),
                 Overflow{prompt, context_tokens_}};
  }
  if (constrained) trace_grammar(format_->grammar(request.calls));
  find_bias_rows(request.biases);
  const Result<Json> answer = ask(request, constrained, std::min(request.max_tokens, room));
  if (!answer) return answer.error();
  std::vector<TokenId> tokens;
  for (const Json& token : member(*answer, "tokens")) {
    if (token.is_number_integer()) tokens.push_back(token.get<TokenId>());
  }
  const std::string stop = text_of(*answer, "stop_type");
  if (stop.empty() || tokens.empty()) {
    return Error{
        ErrorKind::kModel,
        client_.options().url + "/completion: the answer names no tokens; the server is too old"};
  }
  Reply reply;
  reply.text = text_of(*answer, "content");
  if (!is_valid_utf8(reply.text)) reply.text = make_printable(reply.text);
  reply.stop = stop == "limit" ? StopReason::kLimit : StopReason::kEnd;
  const bool ended = reply.stop == StopReason::kEnd;
  const bool held =
      constrained && grammar_watch_.obeys(format_->grammar(request.calls), reply.text, !ended);
  const ReplyEnd end = held && ended ? format_->end_of_call(reply.text) : ReplyEnd::kByModel;
  // What was not held to a call is not closed like one.
  const StopReason closed = held ? reply.stop : StopReason::kLimit;
  if (constrained) reply.text = format_->whole_call(reply.text, closed);
  if (ended) reply.parts = format_->read(reply.text, request.calls);
  if (constrained && !(held && (!ended || is_one_call(reply)))) tell_disobedience();
  reply.usage = usage_of(*answer);
  reply.expected_cached_tokens = transcript_->expected_cached();
  transcript_->generated(tokens, stop == "eos", end);
  return reply;
}

}  // namespace pedro
