#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gbnf/gbnf.h"

namespace pedro {

/// The meaning of each byte at one position of a character's UTF-8 form. 0: the byte is invalid; 1:
/// it completes the character; n > 1: table n - 1 of the same list decides about the next byte.
using ByteTable = std::array<std::uint8_t, 256>;

/// The tables of a class; table 0 is for the first byte of a character. At most 255 tables. No two
/// are equal, except that table 0 may equal another. An ASCII class needs one table, "any code
/// point" eight.
using ClassTables = std::vector<ByteTable>;

/// Converts a class to lists of tables, usually to one. Returns no list if the class matches
/// nothing, and several if one would exceed 255 tables. A character matches in at most one list.
std::vector<ClassTables> class_tables(const CharClass& set);

/// Partitions the bytes into classes by their meanings in tables.
class ByteClasses {
 public:
  /// Puts bytes with different meanings in `table` into different classes.
  void distinguish(const ByteTable& table);

  /// Puts this byte into a separate class.
  void distinguish(std::uint8_t byte);

  const ByteTable& class_of() const { return class_of_; }
  std::size_t count() const { return count_; }

 private:
  ByteTable class_of_{};
  std::size_t count_ = 1;
  std::array<bool, 256> alone_{};
};

}  // namespace pedro
