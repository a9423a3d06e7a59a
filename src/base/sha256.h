#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// SHA-256 (FIPS 180-4) in lower-case hexadecimal digits. Simple, not fast: for files of megabytes.
std::string sha256(std::string_view bytes);

}  // namespace pedro
