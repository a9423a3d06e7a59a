#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// The position of a key in a JSON text.
struct KeyLine {
  std::string key;  ///< with the keys of the enclosing objects: "model.server_url"
  int line = 1;
};

/// Returns the keys of all objects in document order. Skips keys inside arrays, keys more than 32
/// levels deep, and keys of more than 256 bytes, dots included. `json` should be valid JSON. For
/// other text the result is unspecified, but the scan always ends, in time linear in the length.
std::vector<KeyLine> scan_key_lines(std::string_view json);

/// Returns the line of `key`, else the line of its nearest enclosing object, else 1.
int line_of(const std::vector<KeyLine>& lines, std::string_view key);

}  // namespace pedro
