#include "config/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "config/config_file.h"
#include "config/config_value.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr std::string_view kVariablePrefix = "PEDROCLI_";
constexpr const char* kServerVariable = "PEDROCLI_SERVER_URL";  // the short name of one setting

// Variables that are not settings.
constexpr std::array<std::string_view, 5> kOtherVariables = {
    "PEDROCLI_API_KEY", "PEDROCLI_GITHUB_API", "PEDROCLI_GITLAB_API", "PEDROCLI_GITEA_API",
    kServerVariable};

std::vector<ConfigFile> files_to_read(const ConfigSources& sources) {
  if (!sources.explicit_path.empty()) {
    return {{sources.explicit_path, ConfigLayer::kUserFile}};
  }
  const std::string home = sources.environment.get("HOME");
  std::vector<ConfigFile> all;
  if (!home.empty()) all.push_back({join_path(home, ".pedrocli.json"), ConfigLayer::kUserFile});
  if (!home.empty() || sources.environment.get("XDG_CONFIG_HOME").starts_with('/')) {
    all.push_back(
        {join_path(sources.environment.config_folder(), "config.json"), ConfigLayer::kUserFile});
  }
  if (sources.project_folder.empty()) return all;
  const std::string project = join_path(sources.project_folder, ".pedrocli.json");
  const bool is_home = !all.empty() && normal_path(all.front().path) == normal_path(project);
  if (!is_home) all.push_back({project, ConfigLayer::kProjectFile});
  return all;
}

Status apply_text(LoadedConfig& loaded, const ConfigKey& key, std::string_view text,
                  const ConfigOrigin& origin) {
  const Status set = set_from_text(loaded.config, key, text);
  if (!set) return set.error().at(origin.place);
  loaded.origins[std::string(key.name)] = origin;
  return {};
}

Status apply_environment(LoadedConfig& loaded, const Environment& environment) {
  for (const ConfigKey& key : config_keys()) {
    std::string variable = variable_of(key);
    std::string text = environment.get(variable);
    if (text.empty() && key.name == "model.server_url") {
      variable = kServerVariable;
      text = environment.get(variable);
    }
    if (text.empty()) continue;  // shells unset variables with an empty value
    Status set = apply_text(loaded, key, text, {ConfigLayer::kEnvironment, variable});
    if (!set) return set;
  }
  return {};
}

// Warns about variables that resemble a misspelled setting. They are not errors: scripts use the
// PEDROCLI_ prefix for their own variables.
void warn_of_near_variables(LoadedConfig& loaded, const Environment& environment) {
  std::vector<std::string> known;
  for (const ConfigKey& key : config_keys()) {
    known.push_back(variable_of(key).substr(kVariablePrefix.size()));
  }
  for (const auto& [name, value] : environment.variables) {
    if (!name.starts_with(kVariablePrefix)) continue;
    if (std::find(kOtherVariables.begin(), kOtherVariables.end(), name) != kOtherVariables.end()) {
      continue;
    }
    const std::string rest = name.substr(kVariablePrefix.size());
    if (std::find(known.begin(), known.end(), rest) != known.end()) continue;
    const std::string near = did_you_mean(rest, known);
    if (near.empty()) continue;
    loaded.warnings.push_back(
        fmt::format("{}: unknown setting{}", name, replace_all(near, "mean '", "mean 'PEDROCLI_")));
  }
}

// The default address of a server type.
struct UsualAddress {
  std::string_view type;
  std::string_view url;
};
constexpr UsualAddress kUsualAddresses[] = {{"openai", "https://api.openai.com"},
                                            {"anthropic", "https://api.anthropic.com"},
                                            {"ollama", "http://127.0.0.1:11434"},
                                            {"vllm", "http://127.0.0.1:8000"},
                                            {"lmstudio", "http://127.0.0.1:1234"}};

void apply_usual_address(LoadedConfig& loaded) {
  if (loaded.origins.contains("model.server_url")) return;
  for (const UsualAddress& usual : kUsualAddresses) {
    if (usual.type == loaded.config.model.type) loaded.config.model.server_url = usual.url;
  }
}

Status apply_flags(LoadedConfig& loaded, const std::vector<ConfigOverride>& flags) {
  for (const ConfigOverride& flag : flags) {
    const ConfigKey* key = find_config_key(flag.key);
    if (key == nullptr) {
      return Error{ErrorKind::kUsage, fmt::format("{}: unknown key '{}'{}", flag.origin, flag.key,
                                                  nearest_config_key(flag.key))};
    }
    const Status set = apply_text(loaded, *key, flag.value, {ConfigLayer::kFlag, flag.origin});
    if (!set) return Error{ErrorKind::kUsage, set.error().message};
  }
  return {};
}

}  // namespace

std::string project_origin(std::string_view key) {
  return fmt::format("{} (project)", key);
}

ConfigOrigin LoadedConfig::origin_of(std::string_view key) const {
  const auto found = origins.find(key);
  return found == origins.end() ? ConfigOrigin{} : found->second;
}

Result<LoadedConfig> load_config(const ConfigSources& sources) {
  LoadedConfig loaded;
  loaded.project_folder = sources.project_folder;
  for (const ConfigFile& file : files_to_read(sources)) {
    const bool must_exist = !sources.explicit_path.empty();
    // A dangling symbolic link is not a missing file: reading it fails.
    if (sources.files.link_info(file.path).kind == FileKind::kMissing && !must_exist) continue;
    PEDRO_RETURN_IF_ERROR(apply_config_file(loaded, sources.files, file));
  }
  warn_of_near_variables(loaded, sources.environment);
  PEDRO_RETURN_IF_ERROR(apply_environment(loaded, sources.environment));
  PEDRO_RETURN_IF_ERROR(apply_flags(loaded, sources.flags));
  apply_usual_address(loaded);
  return loaded;
}

Status require_llama_server(const LoadedConfig& loaded) {
  const std::string& type = loaded.config.model.type;
  if (type == "llamacpp") return {};
  return Error{ErrorKind::kConfig,
               fmt::format("{}: model.type: this command needs a llama-server for tokens and "
                           "templates, got '{}'; name one with -backend llamacpp -model-url URL",
                           loaded.origin_of("model.type").place, type)};
}

bool is_trusted(const LoadedConfig& loaded, const Environment& environment,
                const std::string& project) {
  const std::vector<std::string>& trusted = loaded.config.model.trusted_projects;
  return std::any_of(trusted.begin(), trusted.end(), [&](std::string folder) {
    if (folder.starts_with("~/")) folder = join_path(environment.get("HOME"), folder.substr(2));
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    return folder == project;
  });
}

namespace {

// Prevents a repository from choosing the server that receives the code and the key.
Status require_trusted_server(const LoadedConfig& loaded, const Environment& environment) {
  const std::string& url = loaded.config.model.server_url;
  // The server has the default address of its type.
  const bool usual = !loaded.origins.contains("model.server_url");
  const std::string_view chosen_by = usual ? "model.type" : "model.server_url";
  const ConfigOrigin server = loaded.origin_of(chosen_by);
  if (server.layer != ConfigLayer::kProjectFile) return {};
  if ((usual && is_loopback_url(url)) || url == Config().model.server_url) return {};
  if (is_trusted(loaded, environment, loaded.project_folder)) return {};
  return Error{ErrorKind::kConfig,
               fmt::format("{}: {}: the project's file names the server '{}', which would get your "
                           "code; if you trust it, give the address with -model-url, or add '{}' "
                           "to model.trusted_projects in your own configuration",
                           server.place, chosen_by, public_url(url), loaded.project_folder)};
}

}  // namespace

Result<std::string> api_key(const LoadedConfig& loaded, const Environment& environment,
                            const std::string& given) {
  const ModelSettings& model = loaded.config.model;
  const bool named = given.empty() && !model.api_key_env.empty();
  const std::string key =
      !given.empty() ? given : environment.get(named ? model.api_key_env : "PEDROCLI_API_KEY");
  if (key.empty() && named) {
    return Error{ErrorKind::kConfig,
                 fmt::format("{}: model.api_key_env: the environment variable '{}' is not set",
                             loaded.origin_of("model.api_key_env").place, model.api_key_env)};
  }
  const Status may = require_trusted_server(loaded, environment);
  return may ? Result<std::string>(key) : may.error();
}

}  // namespace pedro
