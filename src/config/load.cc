#include "config/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <unordered_map>

#include "base/json.h"
#include "base/result.h"
#include "base/text.h"
#include "base/utf8.h"
#include "config/config_keys.h"
#include "config/config_value.h"
#include "sys/url.h"

namespace pedro {
namespace {

// A configuration file and its trust level.
struct ConfigFile {
  std::string path;
  ConfigLayer layer = ConfigLayer::kUserFile;
};

constexpr std::uint64_t kMaxFileBytes = 1u << 20;
constexpr std::size_t kMaxWarnings = 32;
constexpr std::size_t kMaxShownKeyBytes = 80;

// Escapes and truncates a key for a message, so that it cannot control the terminal.
std::string shown_key(std::string_view key) {
  return make_printable(truncate_utf8(key, kMaxShownKeyBytes));
}

bool is_comment(std::string_view key) {
  return key.starts_with("//") || key.find(".//") != std::string_view::npos;
}

// Merges a parsed file into the configuration, object by object.
class FileLayer {
 public:
  FileLayer(LoadedConfig& loaded, const ConfigFile& file, std::string_view text)
      : loaded_(loaded), file_(file), lines_(scan_key_lines(text)) {}

  Status apply(const Json& root) {
    if (!root.is_object()) {
      return Error{ErrorKind::kConfig, fmt::format("{}:1: expected an object with settings, got {}",
                                                   file_.path, root.type_name())};
    }
    Status once = refuse_repeated();
    if (!once) return once;
    groups_.push_back({"", &root});
    while (!groups_.empty()) {
      const Group group = groups_.front();
      groups_.pop_front();
      for (const auto& [name, value] : group.object->items()) {
        if (name.starts_with("//")) continue;
        Status applied = apply_member(group.prefix + name, value);
        if (!applied) return applied;
      }
    }
    count_more_warnings();
    return {};
  }

 private:
  struct Group {
    std::string prefix;  // "model."
    const Json* object = nullptr;
  };

  std::string place(std::string_view key) const {
    return fmt::format("{}:{}", file_.path, line_of(lines_, key));
  }

  // Rejects duplicate keys. The JSON parser would silently use the last one.
  Status refuse_repeated() const {
    std::unordered_map<std::string_view, int> first;
    for (const KeyLine& line : lines_) {
      if (is_comment(line.key)) continue;
      const auto [seen, is_new] = first.emplace(line.key, line.line);
      if (is_new) continue;
      return Error{ErrorKind::kConfig,
                   fmt::format("{}:{}: '{}' is set twice, first on line {}", file_.path, line.line,
                               shown_key(line.key), seen->second)};
    }
    return {};
  }

  Status apply_member(const std::string& key, const Json& value) {
    if ((is_config_group(key) || is_legacy_group(key)) && value.is_object()) {
      groups_.push_back({key + ".", &value});
      return {};
    }
    if (const ConfigKey* known = find_config_key(key)) return apply_setting(*known, value);
    if (is_config_group(key)) {
      return Error{ErrorKind::kConfig,
                   fmt::format("{}: {}: expected an object with settings, got {}", place(key), key,
                               value.type_name())};
    }
    if (const LegacyKey* legacy = find_legacy_key(key)) {
      warn(key, *legacy);
      return {};
    }
    return Error{ErrorKind::kConfig, fmt::format("{}: unknown key '{}'{}", place(key),
                                                 shown_key(key), nearest_config_key(key))};
  }

  Status apply_setting(const ConfigKey& key, const Json& value) {
    if (key.only_user && file_.layer == ConfigLayer::kProjectFile) {
      // A copy of the example file contains the default, which changes nothing.
      if (value == value_of(Config{}, key)) return {};
      if (key.is_object) {  // the Go program had a key of the same name
        warn(std::string(key.name), {key.name, ""});
        return {};
      }
      return Error{ErrorKind::kConfig,
                   fmt::format("{}: {}: a project's file cannot set this; use {} or your own "
                               "configuration",
                               place(key.name), key.name, variable_of(key))};
    }
    const bool beside = key.project_slot != nullptr && file_.layer == ConfigLayer::kProjectFile;
    ConfigKey target = key;
    if (beside) target.slot = key.project_slot;
    const Status set = set_from_json(loaded_.config, target, value);
    if (!set) return set.error().at(place(key.name));
    std::string name(key.name);
    if (beside) name = project_origin(key.name);
    loaded_.origins[name] = {file_.layer, place(key.name)};
    return {};
  }

  void warn(const std::string& key, const LegacyKey& legacy) {
    if (++warnings_ > kMaxWarnings) return;
    std::string text =
        fmt::format("{}: '{}' has no effect and is ignored", place(key), shown_key(key));
    if (!legacy.instead.empty()) text += fmt::format("; see '{}'", legacy.instead);
    loaded_.warnings.push_back(std::move(text));
  }

  void count_more_warnings() {
    if (warnings_ <= kMaxWarnings) return;
    loaded_.warnings.push_back(fmt::format("{}: {} more keys have no effect and are ignored",
                                           file_.path, warnings_ - kMaxWarnings));
  }

  LoadedConfig& loaded_;
  const ConfigFile& file_;
  std::vector<KeyLine> lines_;
  std::deque<Group> groups_;
  std::size_t warnings_ = 0;
};

// Reads the file and merges its settings into `loaded`. load_config() lists the errors. Messages
// begin with the path, in most cases with "PATH:LINE".
Status apply_config_file(LoadedConfig& loaded, const FileSystem& files, const ConfigFile& file) {
  const Result<std::string> text = files.read(file.path, kMaxFileBytes);
  if (!text) return Error{ErrorKind::kConfig, text.error().message};
  const Result<Json> root = parse_json(*text, {.max_bytes = kMaxFileBytes, .max_depth = 32});
  if (!root) return Error{ErrorKind::kConfig, file.path + ":" + root.error().message};
  loaded.files.push_back(file.path);
  return FileLayer(loaded, file, *text).apply(*root);
}

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
