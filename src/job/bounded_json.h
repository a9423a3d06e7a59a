#pragma once

#include <cstddef>

#include "base/json.h"

namespace pedro {

/// `value` with every text longer than `max_text_bytes` cut in its middle (cut_middle says how
/// much is missing). What is then still longer than `max_bytes` as a line becomes
/// {"left_out_bytes": N}.
Json bounded_json(Json value, std::size_t max_text_bytes, std::size_t max_bytes);

}  // namespace pedro
