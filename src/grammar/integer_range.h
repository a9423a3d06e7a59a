#pragma once

#include "grammar/gbnf.h"

namespace pedro {

/// The decimal integers from `low` to `high`, both included, as JSON writes them: no leading zero,
/// no "-0". Exact. Requires low <= high. At most 40 expressions deep, a few hundred bytes when
/// printed.
Expr integer_range(long long low, long long high);

}  // namespace pedro
