#pragma once

#include <string_view>

namespace pedro {

/// A setting of the Go program that means nothing here. Its files still load.
struct LegacyKey {
  std::string_view pattern;       ///< "model.threads", or "lsp.*" for every key of a group
  std::string_view instead = {};  ///< the setting that took its place
};

/// The row for a dotted key, or null. "lsp.*" is found for "lsp.enabled" and for "lsp" itself.
const LegacyKey* find_legacy_key(std::string_view key);

/// True for "lsp" where "lsp.*" is listed: what is inside is looked at key by key.
bool is_legacy_group(std::string_view key);

}  // namespace pedro
