#pragma once

#include <string>
#include <vector>

#include "config/load.h"

namespace pedro {

/// A setting as `config show` prints it.
struct ConfigRow {
  std::string key;
  std::string value;   ///< as JSON
  std::string origin;  ///< "PATH:12", a variable, a flag or "default"
};

/// All settings in the order of config_keys(), each followed by the project's value, if any.
std::vector<ConfigRow> explain(const LoadedConfig& loaded);

enum class ShowOrigin { kNo, kYes };

/// Prints one line per setting with aligned columns: key, value and optionally origin. Values wider
/// than 40 bytes are not aligned.
std::string render_config(const LoadedConfig& loaded, ShowOrigin origin);

/// The text of .pedrocli.json.example: all settings with their defaults.
std::string example_config();

/// The list of docs/reference/config.md: all settings with default, description, valid values and
/// variable.
std::string config_reference();

}  // namespace pedro
