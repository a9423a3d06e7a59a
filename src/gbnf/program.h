#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "gbnf/gbnf.h"

namespace pedro {

/// The meaning of each byte at one position of a character's UTF-8 form. 0: the byte is invalid. 1:
/// it completes the character. n > 1: table n - 1 of the same list decides about the next byte.
using ByteTable = std::array<std::uint8_t, 256>;

/// The index of an instruction. Instruction 0 fails, so 0 also means "nowhere".
using Pc = std::uint32_t;

enum class Op : std::uint8_t {
  kFail,    ///< no continuation
  kByte,    ///< consumes the byte `a`, continues at `next`
  kClass,   ///< consumes a byte by tables[a]; instruction `b` + k has table k of the same list
  kSplit,   ///< continues at each of targets[a] .. targets[a + b - 1]
  kCall,    ///< calls rules[a], then continues at `next`
  kRepeat,  ///< repeats an item by repeats[a], then continues at `next`
  kReturn,  ///< the end of a rule or of a repeated item
};

struct Inst {
  Op op = Op::kFail;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  Pc next = 0;
};

/// The operand of a kRepeat. The code at `item` ends in a kReturn. A `max` of 0 means unbounded.
struct Repeat {
  Pc item = 0;
  std::uint32_t min = 0;
  std::uint32_t max = 0;
};

/// A grammar as instructions over bytes, with calls for rules. Repetitions have counters instead of
/// copies, so the size is linear in that of the grammar. Literals take about 16 bytes per byte,
/// references and ASCII classes 16, most other classes 128. Equal tables are stored once, and so
/// are equal literals, classes and references with the same continuation. Immutable.
struct Program {
  std::vector<Inst> insts;
  std::vector<ByteTable> tables;
  std::vector<Pc> targets;
  std::vector<Repeat> repeats;
  std::vector<Pc> rules;  ///< entry point of each rule, in the grammar's order
  Pc root = 0;

  /// Bytes of the same class have the same effect everywhere in the program.
  std::array<std::uint8_t, 256> byte_class{};
  std::size_t byte_classes = 0;
};

/// Compiles a grammar. Takes time linear in the grammar's size: 0.2 to 1 s for 4 MB of text.
///
/// Errors (kConfig):
/// - no root, a rule that is defined twice or not at all
/// - a repetition with reversed or too high bounds; expressions nested deeper than kMaxExprDepth
/// - left recursion, direct or after parts that may be empty
/// - an unbounded repetition of an item that may be empty
/// - a token with an id or a negated token, because bytes do not identify tokens
/// - more than 8,000,000 instructions (16 bytes each) or 200,000 tables (256 bytes each)
Result<Program> compile_program(const Gbnf& grammar);

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
