#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "grammar/byte_tables.h"
#include "grammar/gbnf.h"

namespace pedro {

/// Index of an instruction. 0 is an instruction that fails, so it also means "nowhere".
using Pc = std::uint32_t;

enum class Op : std::uint8_t {
  kFail,    ///< nothing goes on from here
  kByte,    ///< takes the byte `a`, goes on at `next`
  kClass,   ///< takes a byte as tables[a] says; a next table is that of the instruction `b` + n - 1
  kSplit,   ///< goes on at each of targets[a] .. targets[a + b - 1]
  kCall,    ///< rules[a], then `next`
  kRepeat,  ///< repeats[a], then `next`
  kReturn,  ///< the end of a rule or of what is repeated
};

struct Inst {
  Op op = Op::kFail;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  Pc next = 0;
};

/// What a kRepeat repeats: the code at `item` ends in a kReturn. `max` 0 is any number.
struct Repeat {
  Pc item = 0;
  std::uint32_t min = 0;
  std::uint32_t max = 0;
};

/// A grammar as instructions over bytes, with calls for rules. Counted repetitions are counted, not
/// copied, so its size is linear in that of the grammar: about 16 bytes for each byte of a literal,
/// each reference and each class of ASCII, 128 for most other classes. Equal tables are
/// there once, and so are equal literals, classes and references that go on at the same place.
/// Immutable.
struct Program {
  std::vector<Inst> insts;
  std::vector<ByteTable> tables;
  std::vector<Pc> targets;
  std::vector<Repeat> repeats;
  std::vector<Pc> rules;  ///< where the code of each rule begins, in the grammar's order
  Pc root = 0;

  /// Bytes of the same class lead to the same place wherever they may stand.
  std::array<std::uint8_t, 256> byte_class{};
  std::size_t byte_classes = 0;
};

/// Errors (kConfig): no root, a rule that is there twice or not at all, a repetition with crossed
/// or too high bounds, expressions nested deeper than kMaxExprDepth, left recursion (direct or
/// through anything that may be empty), an endless repetition of something that may be empty, a
/// token by its id or any token but one (bytes cannot say what a token is), a grammar of more than
/// 8,000,000 instructions (16 bytes each) or 200,000 tables (256 bytes each). Takes time linear in
/// the grammar's size: 0.2 to 1 s for 4 MB of text.
Result<Program> compile_program(const Gbnf& grammar);

}  // namespace pedro
