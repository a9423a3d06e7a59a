#pragma once

#include <cstdint>

namespace pedro {

/// The number of a token in its vocabulary.
using TokenId = std::int32_t;

}  // namespace pedro
