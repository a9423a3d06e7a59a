#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "grammar/gbnf.h"

namespace pedro {

struct ByteBounds {
  std::uint8_t first = 0;
  std::uint8_t last = 0;
};

/// One to four byte ranges, one per byte: all their combinations are well-formed UTF-8.
struct Utf8Range {
  std::array<ByteBounds, 4> bytes;
  std::size_t length = 0;
};

/// The UTF-8 forms of the code points that a class takes, in order, without surrogates. Sequences
/// that begin with the same byte have exactly the same first range, so they can be put into a trie.
/// The method is that of Rust's utf8-ranges: split at the lengths, then where continuation bytes
/// do not cover their whole range.
std::vector<Utf8Range> utf8_ranges(const CharClass& set);

}  // namespace pedro
