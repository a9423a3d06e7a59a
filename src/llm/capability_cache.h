#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "llm/capabilities.h"
#include "sys/file_system.h"

namespace pedro {

/// What servers were seen to do, kept in a folder, a file `<key>.json` for each server, so that it
/// is not tried at every start. The key is a hash of the server's address and of what `/props` says
/// of its build, its model and its slots; another of these is another server. Nothing that fails
/// here matters: it is tried again then. Borrows the files.
class CapabilityCache {
 public:
  /// `folder` is made when it is needed; "": nothing is kept.
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
