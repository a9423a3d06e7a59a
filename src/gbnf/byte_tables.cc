#include <algorithm>
#include <optional>
#include <string>

#include "base/utf8.h"
#include "gbnf/program.h"

namespace pedro {
namespace {

struct ByteBounds {
  std::uint8_t first = 0;
  std::uint8_t last = 0;
};

// One to four byte ranges, one per byte. Every combination of their bytes is well-formed UTF-8.
struct Utf8Range {
  std::array<ByteBounds, 4> bytes;
  std::size_t length = 0;
};

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

// Returns the UTF-8 forms of the code points of a class, in order, without surrogates. Sequences
// that begin with the same byte have the same first range, so they can be stored in a trie. Uses
// the method of Rust's utf8-ranges. It splits at changes of length, then where continuation bytes
// do not cover their whole range.
std::vector<Utf8Range> utf8_ranges(const CharClass& set) {
  std::vector<Utf8Range> out;
  for (const CharRange& range : positive(set)) {
    for (const CharRange& part : by_length(range)) add_split(out, part);
  }
  return out;
}

constexpr std::size_t kMaxByteTables = 255;  // table numbers plus one fit into a byte

class Builder {
 public:
  Builder() : tables_(1) {}

  // Returns nullopt if it would need more than kMaxByteTables tables.
  std::optional<ClassTables> build(const Utf8Range* begin, const Utf8Range* end) {
    tables_[0] = table(begin, end, 0);
    if (tables_.size() > kMaxByteTables) return std::nullopt;
    return std::move(tables_);
  }

 private:
  // Returns the table for byte `depth` of the sequences in [begin, end), which share all earlier
  // bytes.
  ByteTable table(const Utf8Range* begin, const Utf8Range* end, std::size_t depth) {
    ByteTable out{};
    while (begin != end && tables_.size() <= kMaxByteTables) {
      const ByteBounds lead = begin->bytes[depth];
      const Utf8Range* rest = std::find_if(begin, end, [&](const Utf8Range& range) {
        return range.bytes[depth].first != lead.first;
      });
      const bool whole = begin->length == depth + 1;
      const std::size_t meaning = whole ? 1 : number_of(table(begin, rest, depth + 1)) + 1;
      std::fill(out.begin() + lead.first, out.begin() + lead.last + 1,
                static_cast<std::uint8_t>(meaning));
      begin = rest;
    }
    return out;
  }

  std::size_t number_of(const ByteTable& table) {
    const auto there = std::find(tables_.begin() + 1, tables_.end(), table);
    const auto number = static_cast<std::size_t>(there - tables_.begin());
    if (there == tables_.end()) tables_.push_back(table);
    return number;
  }

  ClassTables tables_;  // the first is filled last
};

void add_lists(const Utf8Range* begin, const Utf8Range* end, std::vector<ClassTables>& out) {
  if (begin == end) return;
  if (auto tables = Builder().build(begin, end)) {
    out.push_back(std::move(*tables));
    return;
  }
  const Utf8Range* middle = begin + (end - begin) / 2;
  add_lists(begin, middle, out);
  add_lists(middle, end, out);
}

}  // namespace

std::vector<ClassTables> class_tables(const CharClass& set) {
  const std::vector<Utf8Range> ranges = utf8_ranges(set);
  std::vector<ClassTables> out;
  add_lists(ranges.data(), ranges.data() + ranges.size(), out);
  return out;
}

// Keeps a class's number for the first meaning found in it; further meanings get new numbers.
void ByteClasses::distinguish(const ByteTable& table) {
  if (count_ == class_of_.size()) return;
  std::vector<std::size_t> first_with(count_ * 256, 256);  // indexed by class and meaning
  std::vector<bool> kept(count_);
  const ByteTable before = class_of_;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    std::size_t& first = first_with[before[byte] * std::size_t{256} + table[byte]];
    if (first != 256) {
      class_of_[byte] = class_of_[first];
      continue;
    }
    first = byte;
    if (kept[before[byte]]) class_of_[byte] = static_cast<std::uint8_t>(count_++);
    kept[before[byte]] = true;
  }
}

void ByteClasses::distinguish(std::uint8_t byte) {
  if (alone_[byte]) return;
  alone_[byte] = true;
  ByteTable only{};
  only[byte] = 1;
  distinguish(only);
}

}  // namespace pedro
