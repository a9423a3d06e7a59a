#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// SHA-256 (FIPS 180-4) in lowercase hexadecimal. Not optimized: for inputs of megabytes.
std::string sha256(std::string_view bytes);

}  // namespace pedro
