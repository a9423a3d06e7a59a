#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "llm/capabilities.h"
#include "llm/slot_completion.h"
#include "sys/file_system.h"
#include "tokenizer/tokenizer.h"

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

/// Probes a llama-server with five requests of a few tokens, on the slot of `probe`. A grammar and
/// a schema allow only one improbable word. A bias favours that word. Two requests test a prompt
/// with a removed middle. A rejected schema or bias counts as unsupported. A rejected grammar is an
/// error, because its message advises what to change.
Result<Capabilities> probe_capabilities(SlotCompletion& probe, Tokenizer& tokenizer);

}  // namespace pedro
