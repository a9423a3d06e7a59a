#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/config.h"
#include "config/config_keys.h"
#include "sys/environment.h"
#include "sys/file_system.h"

namespace pedro {

/// A setting given on the command line.
struct ConfigOverride {
  std::string key;     ///< "model.server_url"
  std::string value;   ///< as text; see set_from_text
  std::string origin;  ///< the flag as the user knows it: "-model-url"
};

/// Where settings may come from. Borrows; only read while load_config runs.
struct ConfigSources {
  const FileSystem& files;
  const Environment& environment;
  std::string project_folder;              ///< holds .pedrocli.json; "": there is no project
  std::string explicit_path = {};          ///< of -config: this file is read and no other
  std::vector<ConfigOverride> flags = {};  ///< a later one wins
};

enum class ConfigLayer { kDefault, kUserFile, kProjectFile, kEnvironment, kFlag };

struct ConfigOrigin {
  ConfigLayer layer = ConfigLayer::kDefault;
  std::string place = "default";  ///< "PATH:12", "PEDROCLI_MODEL_MODE", "-model-url" or "default"
};

/// The key under which `origins` has the value of a project's file that stands beside the user's
/// (ConfigKey::project_slot); `config show` prints it.
std::string project_origin(std::string_view key);

struct LoadedConfig {
  Config config;
  /// By dotted key; a setting that nobody set is not in it.
  std::map<std::string, ConfigOrigin, std::less<>> origins;
  std::vector<std::string> warnings;  ///< one line each, for stderr
  std::vector<std::string> files;     ///< that were read, the weakest first
  std::string project_folder = {};    ///< as ConfigSources has it

  /// Where the setting's value comes from.
  ConfigOrigin origin_of(std::string_view key) const;
};

/// Defaults < ~/.pedrocli.json < $XDG_CONFIG_HOME/pedrocli/config.json < .pedrocli.json of the
/// project < PEDROCLI_* < flags. A missing file is no error, unless it was named with -config.
/// Files are at most 1 MB; a key that begins with "//" is a comment. An unknown key, a key that
/// is set twice and a wrong value are errors (kConfig; kUsage from a flag) with their place:
/// `.pedrocli.json:12: unknown key 'modle' (did you mean 'model'?)`. Keys of the Go program that
/// mean nothing here are warnings. Where nobody names the server's address it is the usual one of
/// its kind.
Result<LoadedConfig> load_config(const ConfigSources& sources);

/// An error (kConfig, with the place) where the server is of a kind that has no tokens to ask for:
/// of commands that are about them.
Status require_llama_server(const LoadedConfig& loaded);

/// The key for the server: from the variable that model.api_key_env names, else
/// PEDROCLI_API_KEY, else "". Errors (kConfig): the named variable is not set; the project's file
/// chose the server, by its address or by a kind that is not on this machine, and the user's own
/// settings do not trust the project (model.trusted_projects).
Result<std::string> api_key(const LoadedConfig& loaded, const Environment& environment);

}  // namespace pedro
