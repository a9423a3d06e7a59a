#include "secret_setup.h"

#include <fmt/format.h>

#include "sys/file_system.h"
#include "sys/sandbox_view.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxEnvFileBytes = 256u << 10;

// Not those that are there to be copied.
bool is_env_file(std::string_view name) {
  if (name != ".env" && !name.starts_with(".env.") && !name.ends_with(".env")) return false;
  for (const std::string_view end : {".example", ".sample", ".template", ".dist"}) {
    if (name.ends_with(end)) return false;
  }
  return true;
}

}  // namespace

Secrets::Secrets(const CommandContext& context, const Config& config, const std::string& root)
    : on_(config.secrets.mask) {
  if (!on_) return;
  const std::string& variable = config.model.api_key_env;
  mask_.add_key("the server's key",
                context.environment.get(variable.empty() ? "PEDROCLI_API_KEY" : variable));
  const auto entries = context.files.list(root);
  for (const FolderEntry& entry : entries ? *entries : std::vector<FolderEntry>()) {
    if (!is_env_file(entry.name)) continue;
    // A link counts, as far as it stays in the project.
    const auto real = context.files.canonical(join_path(root, entry.name));
    if (!real || !is_below(*real, root) || context.files.info(*real).kind != FileKind::kFile) {
      continue;
    }
    const auto text = context.files.read(*real, kMaxEnvFileBytes);
    if (text) mask_.add_env_file(entry.name, *text);
  }
  if (mask_.left_out() > 0) {
    print_note(context.global,
               fmt::format("pedrocli: warning: the .env files have too many values: {} of them are "
                           "not masked",
                           mask_.left_out()));
  }
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
