#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Decodes base64 (RFC 4648, section 4, with padding) and appends the bytes to `out`. Returns false
/// if `text` is not exactly base64: another character, missing or superfluous '=', or nonzero
/// trailing bits. `out` then contains a prefix of the bytes.
bool append_base64(std::string& out, std::string_view text);

/// Encodes `bytes` as base64 with padding.
std::string to_base64(std::string_view bytes);

}  // namespace pedro
