#pragma once

#include <span>
#include <string>

#include "tokenizer/token_id.h"

namespace pedro {

/// The shortest run of ids that is worth being moved in a server's cache (`n_cache_reuse`). Shorter
/// ones may be found in a wrong place.
inline constexpr int kShortestRun = 32;

/// How many ids of a new prompt a llama-server takes from its cache when it may move what is in
/// there: those that both begin with, then runs of at least `shortest` of them, which it looks for
/// from the front to the back and never passes over an id of the new prompt for. So what only left
/// a prompt costs nothing, and what came in costs everything behind it. At least the last id of a
/// prompt is evaluated all the same. O(cached.size() + run lengths).
std::size_t kept_by_shift(std::span<const TokenId> cached, std::span<const TokenId> prompt,
                          std::size_t shortest);

/// Whether a model may have its cache moved: it keeps keys and values and nothing else of the
/// tokens it has read. `path` is a GGUF file; false as well where it is not here, or cannot be
/// read: a server moves the cache of a model with a recurrent state too, and what it writes then is
/// wrong.
bool has_no_state(const std::string& path);

}  // namespace pedro
