#include "llm/capability_cache.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace pedro {
namespace {

// Version of the probes; invalidates older entries.
constexpr int kTrialVersion = 2;
constexpr std::size_t kMaxBytes = 4096;

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
