#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pedro {

/// How long X takes a text to be, in its NFC: most characters count 1, those of East Asia 2, an
/// emoji 2 however many code points it is made of, an address 23, also one without "https://" in
/// front (https://docs.x.com/fundamentals/counting-characters). At most 280 are a post. Where X
/// would see the end of an address later than this does, the text counts for more.
std::size_t x_length(std::string_view text);

/// What a person takes for one character (extended grapheme clusters, UAX #29), as Bluesky counts
/// it: at most 300, and 3,000 bytes.
std::size_t grapheme_count(std::string_view text);

/// Code points, and bytes that are none: at most 3,000 at LinkedIn.
std::size_t character_count(std::string_view text);

/// What is too long of social posts, `{x, bluesky, linkedin}`; a sentence each.
std::vector<std::string> social_problems(const Json& posts);

}  // namespace pedro
