#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gbnf/gbnf.h"
#include "gbnf/rule_graph.h"

namespace pedro {

/// Static properties of the texts that a grammar matches.
struct TextFacts {
  bool any = false;  ///< at least one text matches
  /// Length of the longest text in bytes, saturated; nullopt if it is unbounded.
  std::optional<std::uint64_t> longest;
  /// A cycle of rules that a text can use; empty if there is none.
  std::vector<std::string> cycle;
};

/// Requires a grammar without check_gbnf errors, whose tokens are given by their texts.
TextFacts text_facts(const Gbnf& grammar);

/// A rule and a measured amount.
struct RuleFact {
  std::string rule;
  std::size_t amount = 0;
};

/// Returns the rule with the longest line in the format of print(). The amount is that line's size
/// in bytes without the line end.
RuleFact longest_rule(const Gbnf& grammar);

/// Returns the deepest nesting of expressions in a rule: 1 for a literal or a name, 2 for a list of
/// these.
RuleFact deepest_rule(const Gbnf& grammar);

/// Returns the longest run of consecutive equal optional items (optional_chain.h); 0 if there is
/// none.
RuleFact longest_chain(const RuleGraph& graph);

}  // namespace pedro
