#include "llm/slot_completion.h"

#include <fmt/format.h>

#include <iterator>

#include "base/utf8.h"
#include "llm/slot_watch.h"

namespace pedro {
namespace {

void append_ids(std::string& out, std::span<const TokenId> ids) {
  for (const TokenId id : ids) {
    fmt::format_to(std::back_inserter(out), "{}{}", out.back() == '[' ? "" : ",", id);
  }
}

CompletionEnd end_of(std::string_view stop_type) {
  if (stop_type == "limit") return CompletionEnd::kLimit;
  return stop_type == "word" ? CompletionEnd::kWord : CompletionEnd::kToken;
}

}  // namespace

Usage usage_of(const Json& final_event) {
  const Json& timings = member(final_event, "timings");
  Usage usage;
  usage.prompt_tokens = count_of(final_event, "tokens_evaluated");
  usage.cached_tokens = count_of(timings, "cache_n");
  usage.generated_tokens = count_of(final_event, "tokens_predicted");
  usage.prompt_ms = real_of(timings, "prompt_ms");
  usage.generate_ms = real_of(timings, "predicted_ms");
  return usage;
}

SlotCompletion::SlotCompletion(LlamaClient& client, LlamaClient& watch_client,
                               const GenerateEvents& events, const Clock& clock)
    : client_(client), watch_client_(watch_client), events_(events), clock_(clock) {}

void SlotCompletion::use_slot(int slot, bool shows_slots) {
  slot_ = slot;
  shows_slots_ = shows_slots;
}

void SlotCompletion::forget_prompt() {
  body_.clear();
  body_ids_ = 0;
  body_prefix_ = 0;
}

void SlotCompletion::write_body(const CompletionRequest& request) {
  if (body_.empty()) {
    body_ = "{\"prompt\":[";
  } else {
    body_.resize(body_prefix_);
  }
  append_ids(body_, request.prompt.subspan(body_ids_));
  body_ids_ = request.prompt.size();
  body_prefix_ = body_.size();
  append_ids(body_, request.begun);
  const bool stream = !shows_slots_;
  Json rest = {{"model", client_.options().model},
               {"n_predict", request.max_tokens},
               {"temperature", request.temperature},
               {"id_slot", slot_},
               {"cache_prompt", true},
               {"stream", stream},
               {"return_tokens", true},
               {"return_progress", stream},
               // Without this the prompt comes back as text, all of it, every time.
               {"response_fields",
                {"content", "tokens", "stop", "stop_type", "tokens_predicted", "tokens_evaluated",
                 "timings"}},
               {"preserved_tokens", request.kept_tokens}};
  // A grammar that is there, be it "", has the server overlook a schema.
  if (request.json_schema.empty()) rest["grammar"] = request.grammar;
  if (request.shortest_run > 0) rest["n_cache_reuse"] = request.shortest_run;
  if (request.seed) rest["seed"] = *request.seed;
  Json stops = request.stops.empty() ? Json::array() : Json(request.stops);
  if (!request.stop.empty()) stops.push_back(request.stop);
  if (!stops.empty()) rest["stop"] = std::move(stops);
  const bool both = !request.bans.empty() && !request.biases.empty();
  body_ += fmt::format("],\"logit_bias\":[{}{}{}],", request.bans, both ? "," : "", request.biases);
  if (!request.json_schema.empty())
    body_ += fmt::format("\"json_schema\":{},", request.json_schema);
  body_ += to_line(rest).substr(1);
}

// The answer as one event; progress is asked for beside it.
Result<Json> SlotCompletion::send_whole() {
  SlotWatch watch(watch_client_, slot_, events_, clock_, client_.options().idle_timeout_s);
  return client_.post_watched("/completion", body_, [&watch] { return watch.look(); });
}

// The same answer put together from a stream.
Result<Json> SlotCompletion::send_streamed() {
  Json last;
  std::string text;
  Json tokens = Json::array();
  const Status sent = client_.stream_json("/completion", body_, [&](const Json& event) {
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

Result<Completion> SlotCompletion::complete(const CompletionRequest& request) {
  write_body(request);
  const Result<Json> answer = shows_slots_ ? send_whole() : send_streamed();
  if (!answer) return answer.error();
  Completion out;
  for (const Json& token : member(*answer, "tokens")) {
    if (token.is_number_integer()) out.tokens.push_back(token.get<TokenId>());
  }
  const std::string stop = text_of(*answer, "stop_type");
  if (stop.empty() || out.tokens.empty()) {
    return Error{
        ErrorKind::kModel,
        client_.options().url + "/completion: the answer names no tokens; the server is too old"};
  }
  out.text = text_of(*answer, "content");
  if (!is_valid_utf8(out.text)) out.text = make_printable(out.text);
  out.end = end_of(stop);
  out.usage = usage_of(*answer);
  return out;
}

}  // namespace pedro
