#include "gbnf/table_pool.h"

#include <functional>
#include <string_view>

namespace pedro {
namespace {

// Returns different keys for different classes.
std::string key_of(const CharClass& set) {
  std::string key(1, set.negated ? '^' : ' ');
  for (const CharRange& range : set.ranges) {
    for (const char32_t end : {range.first, range.last}) {
      for (int shift = 0; shift < 24; shift += 8) key.push_back(static_cast<char>(end >> shift));
    }
  }
  return key;
}

std::size_t table_hash(const ByteTable& table) {
  const std::string_view bytes(reinterpret_cast<const char*>(table.data()), table.size());
  return std::hash<std::string_view>()(bytes);
}

}  // namespace

const std::vector<TablePool::List>& TablePool::lists_of(const CharClass& set,
                                                        std::size_t max_tables) {
  auto [known, is_new] = classes_.try_emplace(key_of(set));
  if (is_new && tables_.size() <= max_tables) {
    for (const ClassTables& tables : class_tables(set)) {
      List& list = known->second.emplace_back(List{lists_++, {}});
      for (const ByteTable& table : tables) list.tables.push_back(place_of(table));
    }
  }
  return known->second;
}

std::uint32_t TablePool::place_of(const ByteTable& table) {
  const std::size_t hash = table_hash(table);
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (tables_[at->second] == table) return at->second;
  }
  const auto place = static_cast<std::uint32_t>(tables_.size());
  tables_.push_back(table);
  by_hash_.emplace(hash, place);
  return place;
}

}  // namespace pedro
