#include "gbnf/utf8_ranges.h"

#include <algorithm>
#include <string>

#include "base/utf8.h"

namespace pedro {
namespace {

std::vector<CharRange> positive(const CharClass& set) {
  if (!set.negated) return set.ranges;
  std::vector<CharRange> out;
  char32_t next = 0;
  for (const CharRange& range : set.ranges) {
    if (range.first > next) out.push_back(CharRange{next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kLastCodePoint) out.push_back(CharRange{next, kLastCodePoint});
  return out;
}

// Splits `range` where the number of bytes changes, and removes surrogates.
std::vector<CharRange> by_length(const CharRange& range) {
  constexpr CharRange kBlocks[] = {
      {0, 0x7F}, {0x80, 0x7FF}, {0x800, 0xD7FF}, {0xE000, 0xFFFF}, {0x10000, kLastCodePoint}};
  std::vector<CharRange> out;
  for (const CharRange& block : kBlocks) {
    const CharRange part{std::max(range.first, block.first), std::min(range.last, block.last)};
    if (part.first <= part.last) out.push_back(part);
  }
  return out;
}

Utf8Range encoded(const CharRange& range) {
  std::string first;
  std::string last;
  append_utf8(first, range.first);
  append_utf8(last, range.last);
  Utf8Range out;
  out.length = first.size();
  for (std::size_t i = 0; i < out.length; ++i) {
    out.bytes[i] = {static_cast<std::uint8_t>(first[i]), static_cast<std::uint8_t>(last[i])};
  }
  return out;
}

// Splits until every continuation byte has one value at both ends or covers all 64. Each level
// takes 6 bits, so a range becomes at most seven.
void add_split(std::vector<Utf8Range>& out, CharRange range) {
  if (range.last > 0x7F) {
    for (const char32_t low_bits : {0x3Fu, 0xFFFu, 0x3FFFFu}) {
      if ((range.first & ~low_bits) == (range.last & ~low_bits)) break;
      if ((range.first & low_bits) != 0) {
        add_split(out, CharRange{range.first, range.first | low_bits});
        add_split(out, CharRange{(range.first | low_bits) + 1, range.last});
        return;
      }
      if ((range.last & low_bits) != low_bits) {
        add_split(out, CharRange{range.first, (range.last & ~low_bits) - 1});
        add_split(out, CharRange{range.last & ~low_bits, range.last});
        return;
      }
    }
  }
  out.push_back(encoded(range));
}

}  // namespace

std::vector<Utf8Range> utf8_ranges(const CharClass& set) {
  std::vector<Utf8Range> out;
  for (const CharRange& range : positive(set)) {
    for (const CharRange& part : by_length(range)) add_split(out, part);
  }
  return out;
}

}  // namespace pedro
