#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grammar/gbnf.h"
#include "grammar/nullable.h"

namespace pedro {

/// Refuses (kConfig) a grammar in which a rule can come back to itself before anything is taken,
/// also through parts that may be empty, and one that repeats without end what may be empty: both
/// would match forever, and llama-server does. Requires that every reference has its rule and that
/// no expression nests deeper than kMaxExprDepth.
Status check_left_recursion(const Gbnf& grammar);

/// Rules of which each can enter the next, and the last the first, before anything is taken.
using LeftCycle = std::vector<std::string_view>;

/// The left recursions of a grammar, at most `max_count`: no rule is in two of them, and if these
/// rules were gone there would be none. A name without a rule leads nowhere.
std::vector<LeftCycle> left_recursions(const RuleGraph& graph, const Nullable& nullable,
                                       std::size_t max_count);

/// "a -> b -> a"; of more than eight rules some are left out.
std::string to_text(const LeftCycle& cycle);

/// A repetition without end of what may be empty.
struct EndlessNothing {
  std::size_t rule = 0;  ///< its number
  const Repetition* repetition = nullptr;
};

std::vector<EndlessNothing> endless_nothings(const Gbnf& grammar, const Nullable& nullable);

}  // namespace pedro
