#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grammar/gbnf.h"
#include "grammar/rule_graph.h"

namespace pedro {

/// What can be said about the texts of a grammar without trying one.
struct TextFacts {
  bool any = false;  ///< there is a text that matches
  /// Of the longest one, in bytes; none: there is no longest. At most the highest number.
  std::optional<std::uint64_t> longest;
  /// Rules that lead back to the first of them on the way to a text; empty: no rule does.
  std::vector<std::string> cycle;
};

/// Requires a grammar in which check_gbnf finds no error and no token but by its text.
TextFacts text_facts(const Gbnf& grammar);

/// A rule and how much of it there is.
struct RuleFact {
  std::string rule;
  std::size_t amount = 0;
};

/// The rule whose line is longest as print() writes it, and that line's bytes without its end.
RuleFact longest_rule(const Gbnf& grammar);

/// The deepest nesting of expressions in a rule: 1 for a literal or a name, 2 for a list of these.
RuleFact deepest_rule(const Gbnf& grammar);

/// Optional items in a row that are alike (optional_chain.h): the longest run; 0 where there is
/// none.
RuleFact longest_chain(const RuleGraph& graph);

}  // namespace pedro
