#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/secret_shapes.h"

namespace pedro {

/// The token of a service that begins at `at`, where a word does: by its prefix and its length, or
/// by the places of its dots and colons. JSON web tokens are among them.
std::optional<SecretSpan> find_service_token(std::string_view text, std::size_t at);

}  // namespace pedro
