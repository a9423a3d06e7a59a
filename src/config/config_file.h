#pragma once

#include <string>

#include "base/result.h"
#include "config/load.h"

namespace pedro {

/// One configuration file and how far it is trusted.
struct ConfigFile {
  std::string path;
  ConfigLayer layer = ConfigLayer::kUserFile;
};

/// Reads the file and lays its settings over `loaded`; see load_config for what is an error. The
/// error's message begins with the path, in most cases with "PATH:LINE".
Status apply_config_file(LoadedConfig& loaded, const FileSystem& files, const ConfigFile& file);

}  // namespace pedro
