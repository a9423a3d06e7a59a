#pragma once

#include <optional>

#include "agent/phase.h"
#include "call_parser/call_part.h"
#include "llm/model.h"

namespace pedro {

/// Returns the call of phase_complete that a reply without a call means. The output of the phase
/// must be exactly one required text, and the reply must be complete text without parts of calls.
/// The first such reply in a row counts in a phase that only reads and needs no evidence, in others
/// the second. `plain_replies` is the number of replies without a call in a row, with this one.
std::optional<ParsedCall> plain_answer(const Phase& phase, const Reply& reply, int plain_replies);

}  // namespace pedro
