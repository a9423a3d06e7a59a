#pragma once

#include <span>
#include <string>

#include "tokenizer/token_id.h"

namespace pedro {

/// The shortest run of ids that a server moves in its cache (`n_cache_reuse`). Shorter runs could
/// match at a wrong position.
inline constexpr int kShortestRun = 32;

/// Returns how many ids of a new prompt a llama-server reuses, if it may move cached ids. These are
/// the common prefix, then runs of at least `shortest` ids. The server searches the cache from
/// front to back and skips no id of the new prompt. So removing ids costs nothing, and inserting
/// ids costs everything after them. The server always evaluates at least the last id of a prompt.
/// O(cached.size() + run lengths).
std::size_t kept_by_shift(std::span<const TokenId> cached, std::span<const TokenId> prompt,
                          std::size_t shortest);

/// Returns true if a server may move the cache of a model. Requires that the cache contains only
/// keys and values of tokens. A server also moves the cache of a model with a recurrent state,
/// whose output is wrong then. `path`: a GGUF file. Returns false if the file is missing or
/// unreadable.
bool has_no_state(const std::string& path);

}  // namespace pedro
