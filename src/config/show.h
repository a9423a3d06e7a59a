#pragma once

#include <string>
#include <vector>

#include "config/load.h"

namespace pedro {

/// One setting as `config show` prints it.
struct ConfigRow {
  std::string key;
  std::string value;   ///< as JSON
  std::string origin;  ///< "PATH:12", a variable, a flag or "default"
};

/// All settings, in the order of config_keys().
std::vector<ConfigRow> explain(const LoadedConfig& loaded);

enum class ShowOrigin { kNo, kYes };

/// One line per setting: key, value and, where asked, origin in aligned columns. A value wider
/// than 40 bytes pushes its origin to the right.
std::string render_config(const LoadedConfig& loaded, ShowOrigin origin);

/// The text of .pedrocli.json.example: every setting with its default.
std::string example_config();

/// The table of docs/config.md: every setting with type, default, variable and description.
std::string config_reference();

}  // namespace pedro
