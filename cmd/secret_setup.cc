#include "secret_setup.h"

#include <fmt/format.h>

namespace pedro {

Secrets::Secrets(const CommandContext& context, const Config& config,
                 std::vector<std::string> roots)
    : on_(config.secrets.mask),
      files_(context.files, context.clock, on_ ? std::move(roots) : std::vector<std::string>(),
             mask_, [&options = context.global](const std::string& text) {
               print_note(options, "pedrocli: warning: " + text);
             }) {
  if (!on_) return;
  const std::string& variable = config.model.api_key_env;
  const std::string& given = context.global.api_key;
  mask_.add_key("the server's key",
                given.empty()
                    ? context.environment.get(variable.empty() ? "PEDROCLI_API_KEY" : variable)
                    : given);
  files_.look();
  for (const std::string& prefix : config.secrets.prefixes) {
    mask_.add_prefix(prefix + "…", prefix);
  }
}

void Secrets::cover(Trace& trace) const {
  if (!on_ || !trace.sink) return;
  trace.sink = [this, sink = std::move(trace.sink)](TraceTopic topic, const std::string& text) {
    sink(topic, mask_.mask(text));
  };
}

}  // namespace pedro
