#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Where a key stands in a JSON text.
struct KeyLine {
  std::string key;  ///< with the keys of the objects around it: "model.server_url"
  int line = 1;
};

/// The keys of all objects, in the order of the text. Keys inside arrays are left out, so are
/// those more than 32 levels deep or more than 256 bytes long, dots included. `json` should have
/// been parsed before: of text that is no JSON the answer means nothing, but it always ends, in
/// time linear to the text's length.
std::vector<KeyLine> scan_key_lines(std::string_view json);

/// The line of `key`; where it is not listed, that of the nearest object around it; else 1.
int line_of(const std::vector<KeyLine>& lines, std::string_view key);

}  // namespace pedro
