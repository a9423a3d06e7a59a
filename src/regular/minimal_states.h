#pragma once

#include <vector>

#include "regular/text_set.h"

namespace pedro {

/// Appends an arc that begins after the last one. Extends the last arc if it is adjacent and has
/// the same target.
void append_arc(std::vector<TextSet::Arc>& arcs, const TextSet::Arc& arc);

/// Returns the minimal automaton for the same texts, with its states in breadth-first order from
/// the start. The result is the same for every automaton of these texts. State 0 is the start;
/// empty if there are no texts. Requires sorted arcs. Takes nearly O(n log n) time for n arcs.
std::vector<TextSet::State> minimal_states(const std::vector<TextSet::State>& states);

}  // namespace pedro
