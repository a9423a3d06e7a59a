#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Resolves `reference` against `base` (RFC 3986, section 5.2): "b/c" in "http://a/x/y" is
/// "http://a/x/b/c". Ignores fragments. Without a scheme in either, the result has none.
std::string resolve_uri(std::string_view base, std::string_view reference);

}  // namespace pedro
