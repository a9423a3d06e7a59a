#pragma once

#include <bitset>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace pedro {

/// The bytes of a set for people, a range each, in order: `'a'-'z'`, `'"'`, `'\n'`, `0x00-0x1F`;
/// beyond ASCII "any character beyond ASCII" where all that can begin one are there, "the rest of a
/// character" where all that can continue one are, else numbers.
std::vector<std::string> describe_bytes(const std::bitset<256>& bytes);

/// Joined by ", "; where that takes more than `max_bytes`, with "and N more" at the end.
std::string join_within(std::span<const std::string> pieces, std::size_t max_bytes);

}  // namespace pedro
