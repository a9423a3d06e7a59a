#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grammar/gbnf.h"

namespace pedro {

/// What a byte means at one place in a character's UTF-8 form: 0 it cannot stand there, 1 the
/// character is whole, n > 1 table n - 1 of the same list decides about the next byte.
using ByteTable = std::array<std::uint8_t, 256>;

/// The tables of a class; the first byte of a character is looked up in table 0. At most 255, and
/// no two are alike but for the first. A class of ASCII needs one, "any code point" eight.
using ClassTables = std::vector<ByteTable>;

/// A class as tables: usually one list of them; none where it takes nothing, several where one
/// would be longer than 255. A character fits in at most one of the lists.
std::vector<ClassTables> class_tables(const CharClass& set);

/// Sorts the bytes into classes, by what they mean in tables.
class ByteClasses {
 public:
  /// Bytes that mean different things in `table` belong to different classes.
  void distinguish(const ByteTable& table);

  /// This byte is in a class of its own.
  void distinguish(std::uint8_t byte);

  const ByteTable& class_of() const { return class_of_; }
  std::size_t count() const { return count_; }

 private:
  ByteTable class_of_{};
  std::size_t count_ = 1;
  std::array<bool, 256> alone_{};
};

}  // namespace pedro
