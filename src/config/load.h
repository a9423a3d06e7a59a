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

/// A setting from the command line.
struct ConfigOverride {
  std::string key;     ///< "model.server_url"
  std::string value;   ///< see set_from_text()
  std::string origin;  ///< the flag: "-model-url"
};

/// The sources of settings. Borrows its members; load_config() only reads them.
struct ConfigSources {
  const FileSystem& files;
  const Environment& environment;
  std::string project_folder;              ///< folder of .pedrocli.json; empty: no project
  std::string explicit_path = {};          ///< from -config: the only file to read
  std::vector<ConfigOverride> flags = {};  ///< the last one wins
};

enum class ConfigLayer { kDefault, kUserFile, kProjectFile, kEnvironment, kFlag };

struct ConfigOrigin {
  ConfigLayer layer = ConfigLayer::kDefault;
  std::string place = "default";  ///< "PATH:12", "PEDROCLI_MODEL_MODE", "-model-url" or "default"
};

/// The key in `origins` of a project's value that exists in addition to the user's
/// (ConfigKey::project_slot). `config show` prints it.
std::string project_origin(std::string_view key);

struct LoadedConfig {
  Config config;
  /// By dotted key. Contains no defaults.
  std::map<std::string, ConfigOrigin, std::less<>> origins;
  std::vector<std::string> warnings;  ///< one line each, for stderr
  std::vector<std::string> files;     ///< files read, lowest precedence first
  std::string project_folder = {};    ///< from ConfigSources

  /// The origin of the setting's value.
  ConfigOrigin origin_of(std::string_view key) const;
};

/// Loads the configuration. Precedence: defaults < ~/.pedrocli.json <
/// $XDG_CONFIG_HOME/pedrocli/config.json < .pedrocli.json of the project < PEDROCLI_* < flags.
/// Missing files are skipped, except the file of -config. A file has at most 1 MB. Keys that begin
/// with "//" are comments. Errors: an unknown key, a duplicate key or an invalid value (kConfig;
/// kUsage for a flag), with the position: `.pedrocli.json:12: unknown key 'modle' (did you mean
/// 'model'?)`. Unsupported keys of the Go program are warnings. If no source sets the server's
/// address, the default address of its type applies.
Result<LoadedConfig> load_config(const ConfigSources& sources);

/// Checks that the server is a llama-server. Error (kConfig, with the origin): its type has no API
/// for tokens and templates.
Status require_llama_server(const LoadedConfig& loaded);

/// Returns true if the user's settings list the folder `project` as trusted.
bool is_trusted(const LoadedConfig& loaded, const Environment& environment,
                const std::string& project);

/// Returns the API key for the server: `given`, else the variable named by model.api_key_env, else
/// PEDROCLI_API_KEY, else "". Errors (kConfig): the named variable is not set; the project's file
/// chose a server that the user does not trust. A project chooses a server by its address, or by a
/// type whose default address is remote. model.trusted_projects lists the trusted projects.
Result<std::string> api_key(const LoadedConfig& loaded, const Environment& environment,
                            const std::string& given = "");

/// The position of a key in a JSON text.
struct KeyLine {
  std::string key;  ///< with the keys of the enclosing objects: "model.server_url"
  int line = 1;
};

/// Returns the keys of all objects in document order. Skips keys inside arrays, keys more than 32
/// levels deep, and keys of more than 256 bytes, dots included. `json` should be valid JSON. For
/// other text the result is unspecified, but the scan always ends, in time linear in the length.
std::vector<KeyLine> scan_key_lines(std::string_view json);

/// Returns the line of `key`, else the line of its nearest enclosing object, else 1.
int line_of(const std::vector<KeyLine>& lines, std::string_view key);

}  // namespace pedro
