#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grammar/parse_gbnf.h"

namespace pedro {

/// What llama.cpp allows a repetition to cost (RepetitionSite::cost).
inline constexpr std::uint64_t kMaxRepetitionCost = 2000;

/// What a llama-server would make of a grammar that can be parsed (what cannot be parsed it does
/// not take either; parse_gbnf says so itself). A server has no protection of its own: some of
/// these grammars make it hang, eat all memory or die.
///
/// Errors: a server refuses the grammar, hangs or dies.
/// - a name that is referred to, anywhere, and has no rule; at its first reference
/// - no rule `root`
/// - a rule's name with anything but letters of ASCII, digits and '-'
/// - {m,n} with m > n; a count above kMaxRepeats
/// - a repetition whose cost is above kMaxRepetitionCost; exactly that is a warning, for older
///   servers refuse it
/// - left recursion, direct or hidden behind anything that may be empty; each cycle once
/// - a repetition without end of what may be empty
///
/// Warnings: slow, or not what was meant.
/// - a rule that is defined a second time: the last definition counts
/// - a rule that root does not lead to
/// - three or more optional items in a row that are alike (optional_chain.h)
/// - blanks without end (endless_blank.h)
/// - `\-`, an empty class, a range that runs backwards
enum class Severity { kError, kWarning };

struct Finding {
  Severity severity = Severity::kError;
  std::size_t offset = 0;  ///< into the source
  std::string message;     ///< what is wrong and what to do, without the place
};

struct GbnfReport {
  std::vector<Finding> findings;  ///< in the order of the source
  std::size_t left_out = 0;       ///< how many more there are, see kMaxFindings

  bool has_errors() const;
};

/// Where there are more, warnings are left out first.
inline constexpr std::size_t kMaxFindings = 100;

GbnfReport check_gbnf(const ParsedGbnf& parsed);

/// A paragraph for each finding, "NAME:LINE:COLUMN: error: MESSAGE" with the line and a caret, and
/// at last how many were left out. "" where there is none.
std::string to_text(const GbnfReport& report, const ParsedGbnf& parsed);

}  // namespace pedro
