#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gbnf/gbnf.h"
#include "gbnf/nullable.h"

namespace pedro {

/// Rejects (kConfig) a grammar in which a rule can reenter itself without consuming input. The rule
/// may do so after parts that may be empty. Rejects unbounded repetitions of items that may be
/// empty as well. Both would match forever, as they do in llama-server. Requires that every
/// reference has a rule and that no expression nests deeper than kMaxExprDepth.
Status check_left_recursion(const Gbnf& grammar);

/// Rules that each can enter the next one, and the last one the first, without consuming input.
using LeftCycle = std::vector<std::string_view>;

/// Finds the left recursions of a grammar, at most `max_count`. No rule is in two of them, and
/// removing these rules removes all left recursion. Ignores references to undefined rules.
std::vector<LeftCycle> left_recursions(const RuleGraph& graph, const Nullable& nullable,
                                       std::size_t max_count);

/// Formats as "a -> b -> a"; omits some of more than eight rules.
std::string to_text(const LeftCycle& cycle);

/// An unbounded repetition of an item that may be empty.
struct EndlessNothing {
  std::size_t rule = 0;  ///< index of the rule
  const Repetition* repetition = nullptr;
};

std::vector<EndlessNothing> endless_nothings(const Gbnf& grammar, const Nullable& nullable);

}  // namespace pedro
