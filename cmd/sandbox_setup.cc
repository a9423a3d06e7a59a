#include "sandbox_setup.h"

#include <fmt/format.h>

#include <ctime>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "git/nested_work.h"
#include "tools/git_command.h"
#include "tools/git_obeyed.h"

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

// User settings that affect the files git lists, and how it compares and shows them.
constexpr const char* kSharedSettings =
    "^(user\\.(name|email)|core\\.(autocrlf|eol|safecrlf|whitespace|quotepath|filemode|abbrev"
    "|excludesfile|attributesfile)|diff\\.(algorithm|renames)|init\\.defaultbranch"
    "|alias\\.[a-z-]+)$";

using UserSettings = std::vector<std::pair<std::string, std::string>>;  // keys with a dot, values

// Returns kSharedSettings of the user's git configuration, in git's order. Reads only the first
// line of each value.
UserSettings shared_settings(const CommandContext& context, const std::string& tree) {
  const auto result = context.processes.run(
      git_command(tree, {"config", "--get-regexp", kSharedSettings}), context.cancel);
  UserSettings settings;
  if (!result || !result->ok()) return settings;
  for (const std::string_view line : split_lines(result->out)) {
    const std::size_t dot = line.find('.');
    const std::size_t end = line.find(' ');
    if (dot == line.npos || end == line.npos || end < dot) continue;
    settings.emplace_back(line.substr(0, end), line.substr(end + 1));
  }
  return settings;
}

// Returns the text of a configuration file with these settings, except names of files.
// `safe.directory` lets git use a tree of another owner.
std::string git_config_for(const UserSettings& settings, const std::string& tree) {
  std::string text = fmt::format("[safe]\n\tdirectory = {}\n", quoted_setting(tree));
  for (const auto& [key, value] : settings) {
    if (key.ends_with("file")) continue;
    const std::size_t dot = key.find('.');
    text += fmt::format("[{}]\n\t{} = {}\n", key.substr(0, dot), key.substr(dot + 1),
                        quoted_setting(value));
  }
  return text;
}

// Reads the user's file for `key` ("core.excludesfile"), or git's default file `name`.
std::string users_git_file(const CommandContext& context, const UserSettings& settings,
                           const std::string& tree, std::string_view key, const char* name) {
  constexpr std::uint64_t kMaxBytes = 1u << 20;
  const std::string home = context.environment.get("HOME");
  const std::string config = context.environment.get("XDG_CONFIG_HOME");
  const std::string folder = config.empty() ? join_path(home, ".config") : config;
  std::string path = join_path(folder, std::string("git/") + name);
  for (const auto& [set, value] : settings) {
    if (set == key) path = value.starts_with("~/") ? join_path(home, value.substr(2)) : value;
  }
  const auto bytes = context.files.read(join_path(tree, path), kMaxBytes);
  return bytes ? *bytes + "\n" : "";
}

/// Returns the places of settings and of job data, which commands must not access.
std::vector<std::string> own_places(const Environment& environment) {
  const std::string home = environment.get("HOME");
  std::vector<std::string> places = {environment.config_folder(), environment.state_folder()};
  if (!home.empty()) places.push_back(join_path(home, ".pedrocli.json"));
  std::erase(places, "");
  return places;
}

}  // namespace

std::string kept_copies_folder(const Environment& environment) {
  const std::string state = environment.state_folder();
  return state.empty() ? "" : join_path(state, "guards");
}

std::string sandbox_text(const Sandbox& sandbox) {
  std::string text = fmt::format("sandbox: {}", sandbox.description());
  for (const std::string& gap : sandbox.gaps()) text += "\nsandbox: but " + gap;
  return text;
}

Result<SandboxSettings> sandbox_settings(const CommandContext& context, const Config& config,
                                         const std::string& tree, TreeUse use) {
  PEDRO_RETURN_IF_ERROR(commands_in(context.processes, config));
  SandboxSettings settings = settings_of(config.sandbox, config.limits);
  settings.own = own_places(context.environment);
  settings.copies = kept_copies_folder(context.environment);
  const UserSettings of_user = shared_settings(context, tree);
  settings.home_files = {
      {".gitconfig", git_config_for(of_user, tree)},
      {".config/git/ignore", users_git_file(context, of_user, tree, "core.excludesfile", "ignore")},
      {".config/git/attributes",
       users_git_file(context, of_user, tree, "core.attributesfile", "attributes")}};
  if (use == TreeUse::kRemoved) return settings;
  std::function<void(const std::string&)> report;
  if (!settings.off) {
    report = [](const std::string& text) { print_error("pedrocli: warning: " + text); };
  }
  settings.watch = std::make_shared<RepositoryWatch>(tree, std::time(nullptr), std::move(report));
  PEDRO_TRY(settings.protect, paths_git_obeys(tree, settings.watch->known(), context.environment,
                                              context.files, context.processes, context.cancel));
  PEDRO_TRY(const auto nested, nested_work(tree, settings.watch->known(), context.files,
                                           context.processes, context.cancel));
  for (const std::string& folder : nested) {
    print_note(context.global,
               fmt::format("pedrocli: {} is read-only for commands: it is a repository with "
                           "uncommitted work, which no checkpoint has",
                           folder));
    settings.protect.push_back(folder);
  }
  return settings;
}

Result<Sandbox> open_sandbox(const CommandContext& context, const Config& config,
                             const std::string& tree, TreeUse use) {
  PEDRO_TRY(const SandboxSettings settings, sandbox_settings(context, config, tree, use));
  return Sandbox::open(settings, tree, context.environment.variables, sandbox_support());
}

Result<Sandbox> open_server_sandbox(const CommandContext& context, const Config& config,
                                    const ServerAccess& access) {
  SandboxSettings settings = settings_of(config.sandbox, config.limits);
  settings.allow_net = access.net;
  settings.net_commands = {};
  settings.read.push_back(access.project);
  settings.read.insert(settings.read.end(), access.read.begin(), access.read.end());
  settings.write = access.write;
  settings.environment = {};
  settings.idle_seconds = 0;  // a server waits for calls
  settings.own = own_places(context.environment);
  settings.own.push_back(join_path(access.project, ".git"));
  settings.copies = kept_copies_folder(context.environment);
  return Sandbox::open(settings, access.folder, context.environment.variables, sandbox_support());
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
