#pragma once

#include <cstdint>

namespace pedro {

/// A token's number in its vocabulary.
using TokenId = std::int32_t;

}  // namespace pedro
