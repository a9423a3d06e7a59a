#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gbnf/parse_gbnf.h"

namespace pedro {

/// The highest cost of a repetition that llama.cpp allows (RepetitionSite::cost), in symbols.
inline constexpr std::uint64_t kMaxRepetitionCost = 2000;

/// Predicts the reaction of a llama-server to a grammar that parses. A server also rejects text
/// that parse_gbnf rejects. Servers have no protection: some of these grammars make it hang,
/// exhaust memory or crash.
///
/// Errors: a server refuses the grammar, hangs or crashes.
/// - a reference to an undefined rule, anywhere; reported at its first reference
/// - no rule `root`
/// - a rule name with characters other than ASCII letters, digits and '-'
/// - {m,n} with m > n; a count above kMaxRepeats
/// - a repetition whose cost exceeds kMaxRepetitionCost. A cost equal to it is a warning, because
///   older servers refuse it.
/// - left recursion, direct or after items that may be empty; each cycle once
/// - an unbounded repetition of an item that may be empty
///
/// Warnings: slow, or probably unintended.
/// - a second definition of a rule: the last definition counts
/// - a rule that is unreachable from root
/// - three or more similar optional items in a row (optional_chain.h)
/// - unbounded blanks (endless_blanks())
/// - `\-`, an empty class, a reversed range
enum class Severity { kError, kWarning };

struct Finding {
  Severity severity = Severity::kError;
  std::size_t offset = 0;  ///< byte offset in the source
  std::string message;     ///< the problem and its fix, without the location
};

struct GbnfReport {
  std::vector<Finding> findings;  ///< in source order
  std::size_t left_out = 0;       ///< number of omitted findings, see kMaxFindings

  bool has_errors() const;
};

/// The most findings in a report. Warnings are omitted first.
inline constexpr std::size_t kMaxFindings = 100;

GbnfReport check_gbnf(const ParsedGbnf& parsed);

/// Formats a paragraph for each finding: "NAME:LINE:COLUMN: error: MESSAGE" with the line and a
/// caret. A final line has the number of omitted findings. Returns "" for an empty report.
std::string to_text(const GbnfReport& report, const ParsedGbnf& parsed);

}  // namespace pedro
