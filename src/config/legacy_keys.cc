#include "config/legacy_keys.h"

#include <algorithm>
#include <iterator>

#include "config/config_keys.h"

namespace pedro {
namespace {

// Source: the structs and example files of all versions of the Go program.
constexpr LegacyKey kLegacyKeys[] = {
    {"model.usable_context", "model.context_size"},
    {"model.ollama_url", "model.server_url"},
    {"model.timeout_seconds", "model.idle_timeout_seconds"},
    {"model.enable_grammar", "model.mode"},
    {"model.enable_tools", "model.mode"},
    {"model.grammar_logging"},
    {"model.model_path"},
    {"model.llamacpp_path"},
    {"model.n_gpu_layers"},
    {"model.threads"},
    {"project.name"},
    {"project.tech_stack"},
    {"debug.keep_temp_files"},
    {"debug.log_level"},
    {"blog.*"},
    {"calcom.*"},
    {"context.tool_result_limits"},
    {"context.compact_every_n_rounds"},
    {"context.cache_tool_results"},
    {"context.cache_dir"},
    {"database.*"},
    {"execution.*"},
    {"fileio.*"},
    {"hooks.*"},
    {"http_bridge.*"},
    {"init.*"},
    {"lsp.*"},
    {"model_profiles.*"},
    {"modes.*"},
    {"oauth.*"},
    {"orchestration.*"},
    {"platform.*"},
    {"podcast.*"},
    {"repo_storage.*"},
    {"tools.*"},
    {"vision.*"},
    {"voice.*"},
    {"web.*"},
    {"web_scraping.*"},
};

std::string_view first_part(std::string_view key) {
  return key.substr(0, key.find('.'));
}

bool matches(std::string_view pattern, std::string_view key) {
  return pattern.ends_with(".*") ? first_part(pattern) == first_part(key) : pattern == key;
}

}  // namespace

const LegacyKey* find_legacy_key(std::string_view key) {
  if (find_config_key(key) != nullptr) return nullptr;  // a known key in an otherwise ignored group
  const auto* const found =
      std::find_if(std::begin(kLegacyKeys), std::end(kLegacyKeys),
                   [&](const LegacyKey& row) { return matches(row.pattern, key); });
  return found == std::end(kLegacyKeys) ? nullptr : found;
}

bool is_legacy_group(std::string_view key) {
  return key.find('.') == std::string_view::npos && find_legacy_key(key) != nullptr;
}

}  // namespace pedro
