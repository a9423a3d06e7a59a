#include "llm/slot_completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/utf8.h"
#include "llm/loop_detector.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr TokenId kMissing = -1;
constexpr long long kMaxMissing = 64;        // between two events
constexpr std::size_t kMaxMiddleBytes = 16;  // longer gaps have more than two characters

bool fits(std::span<const TokenId> known, std::span<const TokenId> ids) {
  return std::equal(known.begin(), known.end(), ids.begin(), ids.end(),
                    [](TokenId one, TokenId other) { return one == kMissing || one == other; });
}

void append(std::vector<TokenId>& out, std::span<const TokenId> ids) {
  out.insert(out.end(), ids.begin(), ids.end());
}

/// Splits bytes into a given number of tokens.
class Split {
 public:
  explicit Split(Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  /// Finds up to two splits.
  Status find(std::string_view bytes, std::size_t tokens) {
    if (tokens == 0) {
      if (bytes.empty()) ways_.push_back(begun_);
      return {};
    }
    for (std::size_t n = 1; n + tokens <= bytes.size() + 1 && ways_.size() < 2; ++n) {
      PEDRO_TRY(const std::optional<TokenId> id, tokenizer_.id_of(bytes.substr(0, n)));
      if (!id) continue;
      PEDRO_TRY(const std::string piece, tokenizer_.piece(*id));
      if (piece != bytes.substr(0, n)) continue;  // JSON cannot contain partial characters
      begun_.push_back(*id);
      if (Status rest = find(bytes.substr(n), tokens - 1); !rest) return rest;
      begun_.pop_back();
    }
    return {};
  }
  const std::vector<std::vector<TokenId>>& ways() const { return ways_; }

 private:
  Tokenizer& tokenizer_;
  std::vector<TokenId> begun_;
  std::vector<std::vector<TokenId>> ways_;
};

/// Returns ids that fit the known ids and the text, if exactly one solution exists.
Result<std::optional<std::vector<TokenId>>> only_choice(std::span<const TokenId> known,
                                                        std::string_view text,
                                                        Tokenizer& tokenizer) {
  const auto begin = std::find(known.begin(), known.end(), kMissing);
  const auto end = std::find_if(begin, known.end(), [](TokenId id) { return id != kMissing; });
  if (std::find(end, known.end(), kMissing) != known.end()) {
    return std::optional<std::vector<TokenId>>();
  }
  // Treats a control token as empty text.
  for (auto id = known.begin(); id != begin; ++id) {
    PEDRO_TRY(const std::string piece, tokenizer.piece(*id));
    if (text.starts_with(piece)) text.remove_prefix(piece.size());
  }
  for (auto id = known.end(); id != end; --id) {
    PEDRO_TRY(const std::string piece, tokenizer.piece(*(id - 1)));
    if (text.ends_with(piece)) text.remove_suffix(piece.size());
  }
  if (text.size() > kMaxMiddleBytes) return std::optional<std::vector<TokenId>>();
  Split split(tokenizer);
  if (Status done = split.find(text, static_cast<std::size_t>(end - begin)); !done) {
    return done.error();
  }
  if (split.ways().size() != 1) return std::optional<std::vector<TokenId>>();
  std::vector<TokenId> ids(known.begin(), begin);
  append(ids, split.ways().front());
  ids.insert(ids.end(), end, known.end());
  return std::optional(std::move(ids));
}

void append_ids(std::string& out, std::span<const TokenId> ids) {
  for (const TokenId id : ids) {
    fmt::format_to(std::back_inserter(out), "{}{}", out.back() == '[' ? "" : ",", id);
  }
}

CompletionEnd end_of(std::string_view stop_type) {
  if (stop_type == "limit") return CompletionEnd::kLimit;
  return stop_type == "word" ? CompletionEnd::kWord : CompletionEnd::kToken;
}

// Enables the DRY sampler (https://github.com/oobabooga/text-generation-webui/pull/5677). It
// penalizes a token more, the longer the repetition that it continues. `repeat_penalty` ended no
// loop in measurements. Allows copies of up to 64 tokens, across lines.
Json penalty() {
  return {{"dry_multiplier", 0.8},
          {"dry_allowed_length", 64},
          {"dry_penalty_last_n", 512},
          {"dry_sequence_breakers", Json::array({"\x01"})}};
}

// Returns the usage that the last event of a completion reports.
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

}  // namespace

void StreamedTokens::add(std::string_view text, std::span<const TokenId> ids, long long predicted) {
  const long long known = count_ + static_cast<long long>(ids.size());
  if (predicted > known) {
    ids_.insert(ids_.end(), static_cast<std::size_t>(std::min(predicted - known, kMaxMissing)),
                kMissing);
    has_gap_ = true;
  }
  count_ = std::max(predicted, known);
  append(ids_, ids);
  if (text.empty()) return;  // a later event may contain the text
  if (has_gap_) gaps_.push_back({sent_, ids_.size(), std::string(text)});
  sent_ = ids_.size();
  has_gap_ = false;
}

Result<StreamedTokens::Recovered> StreamedTokens::recover(Tokenizer& tokenizer) const {
  std::vector<Passage> texts;
  for (const Gap& gap : gaps_) texts.emplace_back(gap.text);
  // Tries the usual encoding of the text first.
  PEDRO_TRY(const auto usual, tokenizer.encode_each(texts));
  const std::span<const TokenId> all = ids_;
  Recovered out;
  std::size_t from = 0;
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    const Gap& gap = gaps_[i];
    append(out.ids, all.subspan(from, gap.begin - from));
    from = gap.end;
    const auto known = all.subspan(gap.begin, gap.end - gap.begin);
    if (fits(known, usual[i])) {
      append(out.ids, usual[i]);
      continue;
    }
    PEDRO_TRY(const auto found, only_choice(known, gap.text, tokenizer));
    if (!found) out.exact = std::min(out.exact, out.ids.size());
    append(out.ids, found ? *found : usual[i]);
  }
  const auto end =
      std::find(ids_.begin() + static_cast<std::ptrdiff_t>(from), ids_.end(), kMissing);
  out.is_cut = end != ids_.end();
  out.ids.insert(out.ids.end(), ids_.begin() + static_cast<std::ptrdiff_t>(from), end);
  return out;
}

/// Assembles an answer from its events.
class SlotCompletion::AnswerReader {
 public:
  AnswerReader(const GenerateEvents& events, const Clock& clock) : events_(events), clock_(clock) {}

  /// Returns false to stop the stream.
  bool take(const Json& event) {
    const Json& progress = member(event, "prompt_progress");
    if (progress.is_object()) {  // its "tokens" are not tokens of the reply
      take_progress(progress);
      return true;
    }
    if (!last_.is_null()) return true;
    const std::string text = text_of(event, "content");
    std::vector<TokenId> ids;
    for (const Json& id : member(event, "tokens")) {
      if (id.is_number_integer()) ids.push_back(id.get<TokenId>());
    }
    const long long before = tokens_.count();
    if (before == 0) first_ms_ = clock_.ticks_ms();
    tokens_.add(text, ids, number_of(event, "tokens_predicted"));
    text_ += text;
    if (events_.on_text) events_.on_text(text, tokens_.count() - before);
    if (truth_of(event, "stop")) {
      last_ = event;
      return true;
    }
    for (const TokenId id : ids) {
      is_loop_ = loop_.add(static_cast<std::uint64_t>(id), has_letter(text)) || is_loop_;
    }
    return !is_loop_;
  }

  bool has_end() const { return is_loop_ || !last_.is_null(); }
  bool has_tokens() const {
    return tokens_.count() > 0 && (is_loop_ || !text_of(last_, "stop_type").empty());
  }

  Result<Completion> finish(Tokenizer& tokenizer) {
    PEDRO_TRY(StreamedTokens::Recovered tokens, tokens_.recover(tokenizer));
    Completion out;
    out.tokens = std::move(tokens.ids);
    out.exact = tokens.exact;
    out.text = is_valid_utf8(text_) ? std::move(text_) : make_printable(text_);
    out.end = is_loop_ ? CompletionEnd::kLoop : end_of(text_of(last_, "stop_type"));
    out.usage = is_loop_ ? usage_so_far() : usage_of(last_);
    // Ignores the id of the final token.
    if (tokens.is_cut && out.end == CompletionEnd::kToken) out.tokens.push_back(0);
    return out;
  }

 private:
  void take_progress(const Json& progress) {
    usage_.prompt_tokens = count_of(progress, "total");
    usage_.cached_tokens = count_of(progress, "cache");
    usage_.prompt_ms = real_of(progress, "time_ms");
    if (events_.on_prefill) {
      events_.on_prefill(number_of(progress, "processed"), usage_.prompt_tokens);
    }
  }

  // Computes the usage of a stream that was stopped, which has no final event.
  Usage usage_so_far() const {
    Usage usage = usage_;
    usage.generated_tokens = tokens_.count();
    usage.generate_ms = static_cast<double>(clock_.ticks_ms() - first_ms_);
    return usage;
  }

  const GenerateEvents& events_;
  const Clock& clock_;
  StreamedTokens tokens_;
  LoopDetector loop_;
  std::string text_;
  Usage usage_;  // of the prompt
  long long first_ms_ = 0;
  bool is_loop_ = false;
  Json last_;
};

SlotCompletion::SlotCompletion(LlamaClient& client, const GenerateEvents& events,
                               const Clock& clock)
    : client_(client), events_(events), clock_(clock) {}

SlotCompletion::~SlotCompletion() = default;

void SlotCompletion::use_slot(int slot, Tokenizer& tokenizer) {
  slot_ = slot;
  tokenizer_ = &tokenizer;
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
  Json rest = request.temperature > 0 ? sampling_ : Json::object();
  rest.update({{"model", client_.options().model},
               {"n_predict", request.max_tokens},
               {"temperature", request.temperature},
               {"id_slot", slot_},
               {"cache_prompt", true},
               {"stream", true},
               {"return_tokens", true},
               {"return_progress", true},
               // Otherwise every response contains the complete text of the prompt.
               {"response_fields",
                {"content", "tokens", "stop", "stop_type", "tokens_predicted", "tokens_evaluated",
                 "timings"}},
               {"preserved_tokens", request.kept_tokens}});
  // A server ignores the schema if "grammar" is present, even if empty.
  if (request.json_schema.empty()) rest["grammar"] = request.grammar;
  if (request.shortest_run > 0) rest["n_cache_reuse"] = request.shortest_run;
  if (request.seed) rest["seed"] = *request.seed;
  if (request.penalizes_repetition) rest.update(penalty());
  Json stops = request.stops.empty() ? Json::array() : Json(request.stops);
  if (!request.stop.empty()) stops.push_back(request.stop);
  if (!stops.empty()) rest["stop"] = std::move(stops);
  const bool both = !request.bans.empty() && !request.biases.empty();
  body_ += fmt::format("],\"logit_bias\":[{}{}{}],", request.bans, both ? "," : "", request.biases);
  if (!request.json_schema.empty())
    body_ += fmt::format("\"json_schema\":{},", request.json_schema);
  body_ += to_line(rest).substr(1);
}

Result<Completion> SlotCompletion::complete(const CompletionRequest& request) {
  const Status sent = send(request);
  return sent ? finish() : sent.error();
}

Status SlotCompletion::send(const CompletionRequest& request) {
  write_body(request);
  answer_ = std::make_unique<AnswerReader>(events_, clock_);
  return client_.stream_json("/completion", body_,
                             [&](const Json& event) { return answer_->take(event); });
}

Result<Completion> SlotCompletion::finish() {
  const auto failure = [this](std::string_view what) {
    return Error{ErrorKind::kModel,
                 fmt::format("{}/completion: {}", public_url(client_.options().url), what)};
  };
  if (!answer_->has_end()) return failure("the answer ended before its last event");
  if (!answer_->has_tokens()) {
    return failure("the answer has no tokens; the server is too old");
  }
  return answer_->finish(*tokenizer_);
}

}  // namespace pedro
