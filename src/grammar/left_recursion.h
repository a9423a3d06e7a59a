#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "grammar/gbnf.h"

namespace pedro {

/// Refuses (kConfig) a grammar in which a rule can come back to itself before anything is taken,
/// also through parts that may be empty, and one that repeats without end what may be empty: both
/// would match forever, and llama-server does. Requires that every reference has its rule and that
/// no expression nests deeper than kMaxExprDepth.
Status check_left_recursion(const Gbnf& grammar);

}  // namespace pedro
