#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "grammar/byte_tables.h"
#include "grammar/gbnf.h"

namespace pedro {

/// The byte tables of all classes of a grammar: equal classes have the same lists, and equal tables
/// are there once, whichever class they belong to.
class TablePool {
 public:
  /// What class_tables() says, as places in tables().
  struct List {
    std::uint32_t id = 0;  ///< no other list has it
    std::vector<std::uint32_t> tables;
  };

  /// Valid until the next call. Once there are more than `max_tables`, classes that are new have
  /// no lists: the caller looks at size().
  const std::vector<List>& lists_of(const CharClass& set, std::size_t max_tables);

  std::size_t size() const { return tables_.size(); }
  std::vector<ByteTable> take() && { return std::move(tables_); }

 private:
  std::uint32_t place_of(const ByteTable& table);

  std::vector<ByteTable> tables_;
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash_;  // hash of a table: its place
  std::unordered_map<std::string, std::vector<List>> classes_;
  std::uint32_t lists_ = 0;
};

}  // namespace pedro
