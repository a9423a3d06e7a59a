#pragma once

#include <vector>

#include "grammar/text_set.h"

namespace pedro {

/// Appends an arc that begins behind the last one, or makes that one longer where both lead to the
/// same state.
void append_arc(std::vector<TextSet::Arc>& arcs, const TextSet::Arc& arc);

/// The smallest automaton for the same texts, its states in breadth-first order from the start: the
/// same for every automaton of these texts. State 0 is the start; empty for no text at all.
/// Requires sorted arcs. In O(n log n) for n arcs, nearly.
std::vector<TextSet::State> minimal_states(const std::vector<TextSet::State>& states);

}  // namespace pedro
