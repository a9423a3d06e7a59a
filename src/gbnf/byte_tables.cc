#include "gbnf/byte_tables.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "gbnf/utf8_ranges.h"

namespace pedro {
namespace {

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
