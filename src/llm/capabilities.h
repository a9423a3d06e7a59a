#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "sys/file_system.h"

namespace pedro {

/// The observed capabilities of a server. They can differ from the reported ones. A server that
/// does not support a field of a request may ignore it and answer 200.
struct Capabilities {
  bool grammar = false;        ///< a reply obeyed a grammar
  bool json_schema = false;    ///< a reply obeyed a JSON Schema
  bool logit_bias = false;     ///< a bias produced an otherwise improbable token
  bool token_ids = false;      ///< accepts prompts of ids, and returns ids
  bool reports_cache = false;  ///< reports the number of cached prompt tokens
  bool shifts_cache = false;   ///< removing ids from a prompt costs nothing (kept_by_shift())

  /// Returns true if the server can constrain replies.
  bool supports_constraints() const { return grammar || json_schema; }
  bool operator==(const Capabilities&) const = default;
};

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
