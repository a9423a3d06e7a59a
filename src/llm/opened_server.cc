#include "llm/opened_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/result.h"
#include "base/text.h"
#include "base/utf8.h"
#include "chat_format/format_tokens.h"
#include "llm/cache_shift.h"
#include "llm/context_window.h"
#include "llm/token_bias.h"
#include "sys/file_system.h"
#include "sys/url.h"
#include "template_learner/choose_format.h"
#include "tokenizer/server_choice.h"
#include "tokenizer/tokenizer.h"

namespace pedro {
namespace {

constexpr std::string_view kWordGrammar = R"(root ::= "qzxjkv")";
constexpr std::string_view kWordSchema = R"({"const":"qzxjkv"})";
constexpr std::string_view kWord = "qzxjkv";
constexpr long long kRoom = 16;
// Exceeds the difference between any two logits of a model.
constexpr double kCertain = 1000;

// A prompt of three parts, each long enough for a move.
constexpr std::string_view kBegin = "red orange yellow green blue indigo violet black white grey ";
constexpr std::string_view kMiddle = "one two three four five six seven eight nine ten eleven ";
constexpr std::string_view kEnd = "north south east west left right up down front back near far ";
constexpr int kProbedRun = 8;

// The format family of a llama-server's model.
struct ServedFamily {
  ChosenFormat chosen;
  std::string why;  // human-readable reason of the choice
  // Tags of an explicitly requested family that are not tokens of the model. They are written as
  // text.
  std::vector<std::string> spelled_tags;
};

std::string why(const ChosenFormat& chosen, bool named) {
  if (named) return "as requested";
  if (chosen.is_learned) return "from the server's chat template";
  return chosen.likeness == ChosenFormat::Likeness::kAll
             ? "the server's chat template writes the same"
             : "the server's chat template writes the same turns, but different tools";
}

// Finds the family that `name` selects. "auto" recognises the server's chat template, or else uses
// `known`, the family of the model's row in the table. "learned" learns a family from it, and
// other names select a family directly. Errors: those of choose_format(); kModel if the template
// cannot be learned. kUsage if the model's vocabulary lacks control tokens of the requested
// family.
Result<ServedFamily> find_served_family(LlamaClient& client, Tokenizer& tokenizer,
                                        std::string_view name, std::string_view known = {}) {
  LlamaTemplate served(client);
  const bool named = name != "auto";
  PEDRO_TRY(ChosenFormat chosen,
            choose_format(served, tokenizer, named ? name : std::string_view()));
  if (!named && chosen.likeness == ChosenFormat::Likeness::kNone && !known.empty()) {
    Result<ServedFamily> of_row = find_served_family(client, tokenizer, known);
    if (of_row) of_row->why = "by the model's name: the server's chat template is of no known kind";
    if (of_row || of_row.error().kind == ErrorKind::kInterrupted) return of_row;
  }
  if (!named && chosen.likeness == ChosenFormat::Likeness::kNone) {
    return Error{ErrorKind::kModel,
                 "cannot learn how the server's chat template writes turns; choose a format with "
                 "-format or model.format (`pedrocli format learn` shows the differences)"};
  }
  ServedFamily found;
  found.why = why(chosen, named);
  found.chosen = std::move(chosen);
  const FormatFamily& family = found.chosen.family;
  // Checks requested families only: the tokens of a recognised family exist.
  if (family.name != name) return found;
  PEDRO_TRY(MissingTokens missing, missing_tokens(family, tokenizer));
  if (!missing.control.empty()) {
    return Error{
        ErrorKind::kUsage,
        fmt::format("format {}: the model's vocabulary has no {}: the model is of another family. "
                    "Use -format auto (model.format), or see `pedrocli format list`",
                    family.name, some_of(missing.control))};
  }
  found.spelled_tags = std::move(missing.tags);
  return found;
}

bool is_interruption(const Error& error) {
  return error.kind == ErrorKind::kInterrupted;
}

// Returns true if a bias makes the server sample the first id of `word`, an unlikely one.
Result<bool> obeys_bias(SlotCompletion& probe, const std::vector<TokenId>& prompt,
                        const std::vector<TokenId>& word) {
  if (word.empty()) return false;
  const std::string rows = to_json_rows(std::array{TokenBias{word.front(), kCertain}});
  PEDRO_TRY(const Completion biased,
            probe.complete({.prompt = prompt, .biases = rows, .max_tokens = 1}));
  return !biased.tokens.empty() && biased.tokens.front() == word.front();
}

// Returns true if ids after a removed part are still in the cache.
Result<bool> shifts_cache(SlotCompletion& probe, Tokenizer& tokenizer) {
  const std::array<Passage, 3> texts = {Passage{kBegin, Specials::kNone},
                                        Passage{kMiddle, Specials::kNone},
                                        Passage{kEnd, Specials::kNone}};
  PEDRO_TRY(const auto ids, tokenizer.encode_each(texts));
  if (std::any_of(ids.begin(), ids.end(), [](const auto& part) { return part.empty(); })) {
    return false;
  }
  std::vector<TokenId> whole;
  for (const auto& part : ids) whole.insert(whole.end(), part.begin(), part.end());
  std::vector<TokenId> shorter = ids[0];
  shorter.insert(shorter.end(), ids[2].begin(), ids[2].end());
  PEDRO_RETURN_IF_ERROR(probe.complete({.prompt = whole, .max_tokens = 1}));
  probe.forget_prompt();
  PEDRO_TRY(const Completion second,
            probe.complete({.prompt = shorter, .shortest_run = kProbedRun, .max_tokens = 1}));
  // The server always evaluates the last id.
  return second.usage.cached_tokens + 1 >= static_cast<long long>(shorter.size());
}

}  // namespace

Result<Capabilities> probe_capabilities(SlotCompletion& probe, Tokenizer& tokenizer) {
  const std::array<Passage, 2> texts = {Passage{"one two three four", Specials::kNone},
                                        Passage{kWord, Specials::kNone}};
  PEDRO_TRY(const auto ids, tokenizer.encode_each(texts));
  const std::vector<TokenId>& prompt = ids[0];
  Capabilities can;

  PEDRO_TRY(const Completion held,
            probe.complete({.prompt = prompt, .grammar = kWordGrammar, .max_tokens = kRoom}));
  can.grammar = held.text == kWord;
  can.token_ids = !held.tokens.empty();

  const Result<Completion> json =
      probe.complete({.prompt = prompt, .json_schema = kWordSchema, .max_tokens = kRoom});
  if (!json && is_interruption(json.error())) return json.error();
  can.json_schema = json && trim(json->text) == "\"" + std::string(kWord) + "\"";
  can.reports_cache = json && json->usage.cached_tokens > 0;

  const Result<bool> obeys = obeys_bias(probe, prompt, ids[1]);
  if (!obeys && is_interruption(obeys.error())) return obeys.error();
  can.logit_bias = obeys && *obeys;

  probe.forget_prompt();
  const Result<bool> shifts = shifts_cache(probe, tokenizer);
  if (!shifts && is_interruption(shifts.error())) return shifts.error();
  can.shifts_cache = shifts && *shifts;
  return can;
}

Status OpenedServer::choose_tokenizer(LlamaClient& client, VocabularyStore& vocabularies,
                                      const Json& props, const Notice& notice, const Clock& clock) {
  PEDRO_TRY(ServerChoice choice,
            pedro::choose_tokenizer(served_model(props), vocabularies,
                                    std::make_unique<ServerTokenizer>(client.poster()),
                                    [&client] { return client.is_not_there(); }));
  lacks_tokenizer = choice.tokenizer == nullptr;
  if (lacks_tokenizer) {
    return Error{ErrorKind::kModel,
                 fmt::format("{}: no tokenizer for the model: {}; add its vocabulary with "
                             "`pedrocli vocab add`, or use -backend openai",
                             public_url(client.options().url), choice.why)};
  }
  if (choice.is_unchecked || choice.mismatch) notice("text is tokenized by " + choice.why);
  tokenizer = std::move(choice.tokenizer);
  local = choice.local;
  details.tokenizer = tokenizer->provider_name();
  details.tokenizer_why = std::move(choice.why);
  details.tokenizer_mismatch = choice.mismatch;
  const Trace& trace = client.options().trace;
  if (trace.wants(TraceTopic::kTokens)) {
    traced.emplace(*tokenizer, details.tokenizer_why, trace, clock);
  }
  return {};
}

// `usual`: the family that the table of models names.
Status OpenedServer::open_format(LlamaClient& client, const std::string& wanted,
                                 const std::string& usual, const Json& props,
                                 const Notice& notice) {
  PEDRO_TRY(ServedFamily family, find_served_family(client, tokenizer_of_turns(), wanted, usual));
  details.format_why = std::move(family.why);
  details.spelled_tags = std::move(family.spelled_tags);
  if (!details.spelled_tags.empty()) {
    notice(fmt::format("format {}: not tokens of the model, written as text: {}",
                       family.chosen.family.name, some_of(details.spelled_tags)));
  }
  PEDRO_TRY(ServedFormat opened,
            ServedFormat::open(std::move(family.chosen), tokenizer_of_turns(), local,
                               text_of(props, "chat_template"), text_of(props, "eos_token")));
  format.emplace(std::move(opened));
  details.control_tokens = format->banned();
  info.format = format->family().name;
  info.has_tools = format->has_tools();
  info.syntax = format->syntax();
  info.takes_bodies = format->takes_bodies();
  return {};
}

Status OpenedServer::find_capabilities(LlamaClient& client, const LlamaSettings& settings,
                                       const Json& props, const Clock& clock) {
  const std::string key = CapabilityCache::key_of(client.options().url, props);
  std::optional<Capabilities> known;
  if (settings.capabilities != nullptr && !settings.tries_capabilities) {
    known = settings.capabilities->get(key);
  }
  if (!known) {
    // Uses another slot if possible, which keeps the cache of this slot. Waits as long as for any
    // reply: the model may be slow, or the slot busy.
    const GenerateEvents unheard;
    SlotCompletion probe(client, unheard, clock);
    probe.use_slot(details.slots > 1 ? (details.slot + 1) % details.slots : details.slot,
                   *tokenizer);
    PEDRO_TRY(known, probe_capabilities(probe, *tokenizer));
    if (known->shifts_cache) known->shifts_cache = has_no_state(served_model(props).path);
    if (settings.capabilities != nullptr) settings.capabilities->put(key, *known);
  }
  info.can = *known;
  info.can.shifts_cache = info.can.shifts_cache && settings.shifts_cache;
  return {};
}

Status OpenedServer::open(LlamaClient& client, const LlamaSettings& settings,
                          VocabularyStore& vocabularies, const Notice& notice, const Clock& clock) {
  PEDRO_RETURN_IF_ERROR(client.wait_until_ready());
  PEDRO_TRY(const Json props, client.props());
  info.backend = "llamacpp";
  info.name = text_of(props, "model_alias");
  if (info.name.empty()) info.name = text_of(props, "model_path", "unnamed");
  info.name = base_name(info.name);
  const KnownModel* row = vocabularies.registry().model(info.name);
  ContextWindow window = choose_window(
      {number_of(member(props, "default_generation_settings"), "n_ctx"), "the server's /props"},
      settings.context_tokens, row);
  info.context_tokens = window.tokens;
  info.context_source = std::move(window.source);
  if (info.context_tokens <= 0) {
    return Error{ErrorKind::kModel,
                 public_url(client.options().url) +
                     ": the server does not report its context size; set model.context_size"};
  }
  details.build = text_of(props, "build_info");
  details.slots = static_cast<int>(number_of(props, "total_slots", 1));
  PEDRO_TRY(const auto idle, client.idle_slots());
  if (idle && !idle->empty()) details.slot = idle->front();
  PEDRO_RETURN_IF_ERROR(choose_tokenizer(client, vocabularies, props, notice, clock));
  PEDRO_RETURN_IF_ERROR(
      open_format(client, settings.format, row != nullptr ? row->family : "", props, notice));
  const KnownModel* known = settings.known ? settings.known->model(info.name) : nullptr;
  if (known != nullptr && known->sampling.is_object()) sampling = known->sampling;
  return find_capabilities(client, settings, props, clock);
}

}  // namespace pedro
