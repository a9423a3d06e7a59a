#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "llm/capabilities.h"
#include "sys/file_system.h"

namespace pedro {

/// Stores the observed capabilities of servers, so that they are not probed at every start. Uses
/// one file `<key>.json` per server in a folder. The key is a hash of the server's address and of
/// the build, the model and the slots in `/props`. Ignores failures: the server is probed again
/// then. Borrows the file system.
class CapabilityCache {
 public:
  /// Creates `folder` on demand. "" disables the cache.
  CapabilityCache(FileSystem& files, std::string folder)
      : files_(files), folder_(std::move(folder)) {}

  static std::string key_of(std::string_view url, const Json& props);

  std::optional<Capabilities> get(const std::string& key) const;
  void put(const std::string& key, const Capabilities& capabilities);

 private:
  std::string path_of(const std::string& key) const;

  FileSystem& files_;
  std::string folder_;
};

}  // namespace pedro
