#pragma once

#include <string_view>
#include <vector>

#include "agent/mutants.h"

namespace pedro {

/// Returns variants of a statement's place: after its block, inside the block before it, or after
/// the next statement. A value that an `if` counts also gets an `else` that sets it back.
/// `line` is a whole line of `function`, borrowed from it; no variants if it is not. O(n) in lines.
///
///     // for x in row:            for x in row:
///     //     if x == ".":             if x == ".":
///     //         run += 1                 run += 1
///     //                              else:
///     //                                  run = 0
std::vector<Mutant> statement_mutants(std::string_view line, std::string_view function);

}  // namespace pedro
