#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "gbnf/byte_tables.h"
#include "gbnf/gbnf.h"

namespace pedro {

/// The byte tables of all classes of a grammar. Equal classes share their lists, and equal tables
/// are stored once.
class TablePool {
 public:
  /// A result of class_tables(), as indices in tables_.
  struct List {
    std::uint32_t id = 0;  ///< unique
    std::vector<std::uint32_t> tables;
  };

  /// Returns the lists of a class, valid until the next call. Above `max_tables` tables, new
  /// classes have no lists, so the caller must check size().
  const std::vector<List>& lists_of(const CharClass& set, std::size_t max_tables);

  std::size_t size() const { return tables_.size(); }
  std::vector<ByteTable> take() && { return std::move(tables_); }

 private:
  std::uint32_t place_of(const ByteTable& table);

  std::vector<ByteTable> tables_;
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash_;  // hash of a table to its index
  std::unordered_map<std::string, std::vector<List>> classes_;
  std::uint32_t lists_ = 0;
};

}  // namespace pedro
