#include "context_setup.h"

#include <fmt/format.h>

namespace pedro {
namespace {

Error at_setting(const LoadedConfig& config, std::string_view key, const Error& error) {
  return error.at(fmt::format("{}: {}", config.origin_of(key).place, key));
}

}  // namespace

Result<ContextSettings> context_settings(const LoadedConfig& config) {
  const ContextConfig& context = config.config.context;
  ContextSettings settings;
  settings.high_water = context.high_water;
  settings.low_water = context.low_water;
  settings.reserve_tokens = context.reserve_tokens;
  settings.note = context.note == "summary"  ? Note::kSummary
                  : context.note == "digest" ? Note::kDigest
                                             : Note::kNone;
  settings.rules.start_messages = context.start_messages;
  settings.rules.end_messages = context.end_messages;
  settings.rules.protect_tokens = context.protect_tokens;
  if (context.low_water >= context.high_water) {
    return at_setting(config, "context.low_water",
                      {ErrorKind::kConfig, fmt::format("expected less than context.high_water ({})",
                                                       context.high_water)});
  }
  auto strategies = read_strategies(context.strategies);
  if (!strategies) return at_setting(config, "context.strategies", strategies.error());
  settings.rules.strategies = *std::move(strategies);
  auto weights = read_weights(context.weights);
  if (!weights) return at_setting(config, "context.weights", weights.error());
  settings.rules.weights = *weights;
  return settings;
}

Result<WarnAt> warn_settings(const LoadedConfig& config) {
  auto at = read_warn_at(config.config.monitor.warn_at);
  if (!at) return at_setting(config, "monitor.warn_at", at.error());
  return at;
}

}  // namespace pedro
