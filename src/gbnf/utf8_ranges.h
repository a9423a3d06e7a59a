#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gbnf/gbnf.h"

namespace pedro {

struct ByteBounds {
  std::uint8_t first = 0;
  std::uint8_t last = 0;
};

/// One to four byte ranges, one per byte. Every combination of their bytes is well-formed UTF-8.
struct Utf8Range {
  std::array<ByteBounds, 4> bytes;
  std::size_t length = 0;
};

/// Returns the UTF-8 forms of the code points of a class, in order, without surrogates. Sequences
/// that begin with the same byte have the same first range, so they can be stored in a trie. Uses
/// the method of Rust's utf8-ranges. It splits at changes of length, then where continuation bytes
/// do not cover their whole range.
std::vector<Utf8Range> utf8_ranges(const CharClass& set);

}  // namespace pedro
