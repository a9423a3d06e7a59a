#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gbnf/gbnf.h"

namespace pedro {

/// The longest text that parse_gbnf accepts.
inline constexpr std::size_t kMaxGbnfBytes = std::size_t{1} << 20;

/// A definition of a rule or a reference to it.
struct NameSite {
  std::string name;
  std::size_t offset = 0;
};

/// A `*`, `+`, `?` or `{m,n}` as written; the Gbnf has valid counts instead.
struct RepetitionSite {
  std::size_t offset = 0;
  std::uint64_t min = 0;
  std::optional<std::uint64_t> max;  ///< unbounded if absent
  /// Symbols that llama.cpp counts in the repeated item: 1 for a literal, a class, a token or a
  /// name. After a group, the symbols created while parsing it. These are the group, nested groups,
  /// one per optional copy of a repetition, and new names. After another repetition, its symbols
  /// times its count.
  std::uint64_t symbols = 1;

  /// Returns `symbols` times the count, which llama.cpp limits. Saturates at 2^64 - 1.
  std::uint64_t cost() const;
};

/// Accepted syntax with a probably unintended meaning.
struct Oddity {
  enum class Kind {
    kDashEscape,     ///< `\-`
    kEmptyClass,     ///< `[]` or `[^]`: matches the empty text
    kReversedRange,  ///< `[z-a]`: matches nothing
  };
  Kind kind = Kind::kDashEscape;
  std::size_t offset = 0;
};

/// A grammar with the locations that check_gbnf needs, in the order of the text. Offsets are byte
/// offsets in `source`.
struct ParsedGbnf {
  std::string name;  ///< of the file, for messages
  std::string source;
  Gbnf grammar;  ///< the last definition of a name, in the position of the first
  std::vector<NameSite> definitions;
  std::vector<NameSite> references;
  std::vector<RepetitionSite> repetitions;
  std::vector<Oddity> oddities;
};

/// Parses the GBNF that llama.cpp reads. Expressions are in the simplest form that gbnf.h provides,
/// so parse(print(g)) is g. Accepts some grammars that a server refuses, so that check_gbnf can
/// explain them. They have names with '_' or non-ASCII characters, counts that are reversed or too
/// high, undefined rules, or no root.
///
/// Errors (kConfig) are "NAME:LINE:COLUMN: expected ..., found ..." with the line and a caret.
/// Causes: invalid syntax, invalid UTF-8, NUL, half a surrogate pair in a literal, a text for
/// LLGuidance. Also more than kMaxGbnfBytes, and expressions or parentheses deeper than
/// kMaxExprDepth. Recurses at most kMaxExprDepth deep.
Result<ParsedGbnf> parse_gbnf(std::string_view text, std::string_view name);

}  // namespace pedro
