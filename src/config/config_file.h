#pragma once

#include <string>

#include "base/result.h"
#include "config/load.h"

namespace pedro {

/// A configuration file and its trust level.
struct ConfigFile {
  std::string path;
  ConfigLayer layer = ConfigLayer::kUserFile;
};

/// Reads the file and merges its settings into `loaded`. load_config() lists the errors. Messages
/// begin with the path, in most cases with "PATH:LINE".
Status apply_config_file(LoadedConfig& loaded, const FileSystem& files, const ConfigFile& file);

}  // namespace pedro
