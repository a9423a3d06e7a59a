#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grammar/gbnf.h"

namespace pedro {

/// The longest text that is parsed.
inline constexpr std::size_t kMaxGbnfBytes = std::size_t{1} << 20;

/// A rule's name where it is defined or referred to.
struct NameSite {
  std::string name;
  std::size_t offset = 0;
};

/// A `*`, `+`, `?` or `{m,n}` as it is written; the Gbnf has counts that are legal instead.
struct RepetitionSite {
  std::size_t offset = 0;
  std::uint64_t min = 0;
  std::optional<std::uint64_t> max;  ///< none: any number
  /// How many symbols llama.cpp counts in what is repeated: 1 for a literal, a class, a token or a
  /// name; after a group what was made while it was parsed (the group, those within it, a symbol
  /// per optional copy of a repetition, names that were not seen before); after another repetition
  /// its symbols times its count.
  std::uint64_t symbols = 1;

  /// Times `symbols`: what llama.cpp limits. The highest number where it is even more.
  std::uint64_t cost() const;
};

/// Something that is read, though perhaps not as it was meant.
struct Oddity {
  enum class Kind {
    kDashEscape,     ///< `\-`
    kEmptyClass,     ///< `[]` or `[^]`: the empty text
    kReversedRange,  ///< `[z-a]`: nothing
  };
  Kind kind = Kind::kDashEscape;
  std::size_t offset = 0;
};

/// A grammar together with the places that check_gbnf speaks of, all in the order of the text;
/// offsets are into `source`.
struct ParsedGbnf {
  std::string name;  ///< of the file, for messages
  std::string source;
  Gbnf grammar;  ///< of two definitions of a name the last, in the place of the first
  std::vector<NameSite> definitions;
  std::vector<NameSite> references;
  std::vector<RepetitionSite> repetitions;
  std::vector<Oddity> oddities;
};

/// Reads the GBNF that llama.cpp reads. What is made is in the simplest form that the functions of
/// gbnf.h give, so that parse(print(g)) is g. Taken although a server would refuse it, for
/// check_gbnf to explain: names with '_' or letters beyond ASCII, counts that are crossed or too
/// high, names without a rule, no root.
///
/// Errors (kConfig), as "NAME:LINE:COLUMN: expected ..., found ..." with the line and a caret:
/// syntax, more than kMaxGbnfBytes, bytes that are not UTF-8, NUL, half a surrogate pair in a
/// literal, expressions or parentheses deeper than kMaxExprDepth, a text for LLGuidance. Never
/// recurses deeper than kMaxExprDepth.
Result<ParsedGbnf> parse_gbnf(std::string_view text, std::string_view name);

}  // namespace pedro
