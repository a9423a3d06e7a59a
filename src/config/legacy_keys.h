#pragma once

#include <string_view>

namespace pedro {

/// A setting of the Go program without an equivalent. Files that contain it still load.
struct LegacyKey {
  std::string_view pattern;       ///< "model.threads", or "lsp.*" for all keys of a group
  std::string_view instead = {};  ///< the replacement, if any
};

/// Returns the row for a dotted key, or null. "lsp.*" matches "lsp.enabled" and "lsp".
const LegacyKey* find_legacy_key(std::string_view key);

/// Returns true for "lsp" if "lsp.*" is listed. Its members are then checked one by one.
bool is_legacy_group(std::string_view key);

}  // namespace pedro
