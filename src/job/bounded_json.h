#pragma once

#include <cstddef>

#include "base/json.h"

namespace pedro {

/// Returns `value` with each text longer than `max_text_bytes` truncated in the middle
/// (cut_middle() reports the number of missing bytes). If its line still exceeds `max_bytes`,
/// returns {"left_out_bytes": N} instead.
Json bounded_json(Json value, std::size_t max_text_bytes, std::size_t max_bytes);

}  // namespace pedro
