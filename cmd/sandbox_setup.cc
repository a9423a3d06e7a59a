#include "sandbox_setup.h"

#include <fmt/format.h>

#include "base/text.h"
#include "tools/git_command.h"

namespace pedro {
namespace {

SandboxSettings settings_of(const SandboxConfig& config, const LimitSettings& limits) {
  return {.off = config.mode == "off",
          .allow_net = config.allow_net,
          .net_commands = config.net_commands,
          .read = config.read,
          .write = config.write,
          .environment = config.environment,
          .max_processes = config.max_processes,
          .max_memory_mb = config.max_memory_mb,
          .max_file_mb = config.max_file_mb,
          .idle_seconds = limits.idle_seconds};
}

/// "" where the user has not set it.
std::string git_setting(const CommandContext& context, const std::string& tree, const char* name) {
  const auto result =
      context.processes.run(git_command(tree, {"config", "--get", name}), context.cancel);
  return result && result->ok() ? std::string(trim(result->out)) : "";
}

/// A text as git's configuration has it, in quotes.
std::string quoted(const std::string& text) {
  return fmt::format("\"{}\"", replace_all(replace_all(text, "\\", "\\\\"), "\"", "\\\""));
}

/// Of the user's git configuration a sandbox has this: who commits, and that the tree may be used
/// whoever owns it.
std::string git_config_for(const CommandContext& context, const std::string& tree) {
  std::string text = fmt::format("[safe]\n\tdirectory = {}\n[user]\n", quoted(tree));
  for (const char* name : {"name", "email"}) {
    const std::string value = git_setting(context, tree, fmt::format("user.{}", name).c_str());
    if (!value.empty()) text += fmt::format("\t{} = {}\n", name, quoted(value));
  }
  return text;
}

/// What decides what commands may do, and what jobs rely on.
std::vector<std::string> own_places(const Environment& environment) {
  const std::string home = environment.get("HOME");
  std::vector<std::string> places = {environment.config_folder(), environment.state_folder()};
  if (!home.empty()) places.push_back(join_path(home, ".pedrocli.json"));
  std::erase(places, "");
  return places;
}

}  // namespace

std::string guard_notes_folder(const Environment& environment) {
  const std::string state = environment.state_folder();
  return state.empty() ? "" : join_path(state, "guards");
}

std::string sandbox_text(const Sandbox& sandbox) {
  std::string text = fmt::format("sandbox: {}", sandbox.description());
  for (const std::string& gap : sandbox.gaps()) text += "\nsandbox: but " + gap;
  return text;
}

Result<Sandbox> open_sandbox(const CommandContext& context, const Config& config,
                             const std::string& tree) {
  if (auto named = commands_in(context.processes, config); !named) return named.error();
  SandboxSettings settings = settings_of(config.sandbox, config.limits);
  settings.own = own_places(context.environment);
  settings.notes = guard_notes_folder(context.environment);
  settings.home_files[".gitconfig"] = git_config_for(context, tree);
  return Sandbox::open(settings, tree, context.environment.variables, sandbox_support());
}

Result<NetworkCommands> commands_in(ProcessRunner& sandbox, const Config& config) {
  return NetworkCommands::make(sandbox, "sandbox.net_commands", config.sandbox.net_commands);
}

void warn_of_gaps(const Sandbox& sandbox) {
  if (sandbox.level() == SandboxLevel::kOff || !sandbox.gaps().empty()) {
    print_error(sandbox_text(sandbox));
  }
}

}  // namespace pedro
