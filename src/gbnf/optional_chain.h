#pragma once

#include <cstddef>
#include <vector>

#include "gbnf/nullable.h"

namespace pedro {

/// Adjacent optional items of a sequence, several of which are alike, as in `x? x? x?`. A text can
/// be distributed over them in many ways. llama.cpp follows all of them, so each additional item
/// doubles the time for a token.
struct OptionalChain {
  std::size_t rule = 0;    ///< index of the rule
  std::size_t at = 0;      ///< Repetition::at of the first repetition in it, 0 if there is none
  std::size_t length = 0;  ///< number of items that are alike
};

/// Finds chains of three or more; at most one for each run of optional items.
///
/// Two items are alike if they are the same expression. They are also alike if both are choices of
/// literals, classes and tokens with a common beginning. Then a choice of one can begin a choice of
/// the other. Repetitions and rule names around the choices do not matter. "ab"? and "a"* are
/// alike, ("," x)? and ("," y)? are not. Skips items with more than 16 choices and pairs more than
/// 32 items apart.
std::vector<OptionalChain> optional_chains(const RuleGraph& graph, const Nullable& nullable);

}  // namespace pedro
