#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pedro {

/// Returns the length of a text on X in NFC (https://docs.x.com/fundamentals/counting-characters).
/// Most characters count 1, East Asian characters 2, an emoji 2 regardless of its code points. A
/// URL counts 23, also without "https://". A post has at most 280. If X detects a longer URL than
/// this function, the result is too high.
std::size_t x_length(std::string_view text);

/// Returns the number of extended grapheme clusters (UAX #29). Bluesky allows 300, and 3,000 bytes.
std::size_t grapheme_count(std::string_view text);

/// Returns the number of code points and invalid bytes. LinkedIn allows 3,000.
std::size_t character_count(std::string_view text);

/// Returns the posts of `{x, bluesky, linkedin}` that are too long, one sentence each.
std::vector<std::string> social_problems(const Json& posts);

}  // namespace pedro
