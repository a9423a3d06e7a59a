#include "llm/capability_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/text.h"
#include "llm/token_bias.h"

namespace pedro {
namespace {

// Version of the probes; invalidates older entries.
constexpr int kTrialVersion = 2;
constexpr std::size_t kMaxBytes = 4096;

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

std::string CapabilityCache::key_of(std::string_view url, const Json& props) {
  Json identity = {{"version", kTrialVersion}, {"url", url}};
  for (const char* name :
       {"build_info", "model_path", "model_alias", "chat_template", "total_slots"}) {
    identity[name] = member(props, name);
  }
  identity["n_ctx"] = member(member(props, "default_generation_settings"), "n_ctx");
  return fmt::format("{:016x}{:016x}", hash_of(identity, 0), hash_of(identity, 1));
}

std::string CapabilityCache::path_of(const std::string& key) const {
  return join_path(folder_, key + ".json");
}

std::optional<Capabilities> CapabilityCache::get(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const Result<std::string> text = files_.read(path_of(key), kMaxBytes);
  if (!text) return std::nullopt;
  const Result<Json> json = parse_json(*text);
  if (!json || !json->is_object()) return std::nullopt;
  return capabilities_of(*json);
}

void CapabilityCache::put(const std::string& key, const Capabilities& capabilities) {
  if (folder_.empty() || !files_.make_folders(folder_, 0700)) return;
  (void)files_.write_atomic(path_of(key), to_line(to_json(capabilities)) + "\n", 0600);
}

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

}  // namespace pedro
