#include "sandbox_setup.h"

#include <fmt/format.h>

namespace pedro {
namespace {

SandboxSettings settings_of(const SandboxConfig& config) {
  return {.off = config.mode == "off",
          .allow_net = config.allow_net,
          .read = config.read,
          .write = config.write,
          .environment = config.environment,
          .max_processes = config.max_processes,
          .max_memory_mb = config.max_memory_mb,
          .max_file_mb = config.max_file_mb};
}

}  // namespace

std::string sandbox_text(const Sandbox& sandbox) {
  std::string text = fmt::format("sandbox: {}", sandbox.description());
  for (const std::string& gap : sandbox.gaps()) text += "\nsandbox: but " + gap;
  return text;
}

Result<Sandbox> open_sandbox(const CommandContext& context, const Config& config,
                             const std::string& tree) {
  Result<Sandbox> sandbox = Sandbox::open(settings_of(config.sandbox), tree,
                                          context.environment.variables, sandbox_support());
  if (sandbox && (sandbox->level() == SandboxLevel::kOff || !sandbox->gaps().empty())) {
    print_error(sandbox_text(*sandbox));
  }
  return sandbox;
}

}  // namespace pedro
