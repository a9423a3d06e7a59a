#pragma once

#include <bitset>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace pedro {

/// Describes a set of bytes by ranges, in order: `'a'-'z'`, `'"'`, `'\n'`, `0x00-0x1F`. Bytes above
/// ASCII appear as numbers, with two exceptions. All leading bytes are "any character beyond
/// ASCII", all continuation bytes "the rest of a character".
std::vector<std::string> describe_bytes(const std::bitset<256>& bytes);

/// Joins pieces with ", ". Replaces the end by "and N more" if the text exceeds `max_bytes`.
std::string join_within(std::span<const std::string> pieces, std::size_t max_bytes);

}  // namespace pedro
