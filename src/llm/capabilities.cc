#include "llm/capabilities.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace pedro {
namespace {

// Version of probe_capabilities(); invalidates older entries.
constexpr int kTrialVersion = 2;
constexpr std::size_t kMaxBytes = 4096;

Json to_json(const Capabilities& can) {
  return {{"grammar", can.grammar},
          {"json_schema", can.json_schema},
          {"logit_bias", can.logit_bias},
          {"token_ids", can.token_ids},
          {"reports_cache", can.reports_cache},
          {"shifts_cache", can.shifts_cache}};
}

// Reads capabilities. Missing members are false.
Capabilities capabilities_of(const Json& json) {
  return {.grammar = truth_of(json, "grammar"),
          .json_schema = truth_of(json, "json_schema"),
          .logit_bias = truth_of(json, "logit_bias"),
          .token_ids = truth_of(json, "token_ids"),
          .reports_cache = truth_of(json, "reports_cache"),
          .shifts_cache = truth_of(json, "shifts_cache")};
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

}  // namespace pedro
