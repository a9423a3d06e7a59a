#pragma once

#include <cstddef>
#include <vector>

#include "grammar/nullable.h"

namespace pedro {

/// Neighbours in a sequence of which each may be left out and several are alike, as in `x? x? x?`:
/// a text can be shared out among them in many ways, llama.cpp follows all of them, and each one
/// more doubles the time for a token.
struct OptionalChain {
  std::size_t rule = 0;    ///< its number
  std::size_t at = 0;      ///< Repetition::at of the first repetition in it, 0 where there is none
  std::size_t length = 0;  ///< how many are alike
};

/// The chains of three or more; one at most for each run of items that may be left out. Two items
/// are alike where they are the same expression, or where each is a choice of literals, classes
/// and tokens, repeated or not and behind names or not, and one choice of the one begins a choice
/// of the other: "ab"? and "a"* are alike, ("," x)? and ("," y)? are not. A choice of more than 16
/// is not looked into, nor are items more than 32 apart.
std::vector<OptionalChain> optional_chains(const RuleGraph& graph, const Nullable& nullable);

}  // namespace pedro
