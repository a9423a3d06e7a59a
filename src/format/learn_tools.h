#pragma once

#include "format/lesson.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Learns how tools are made known, on top of what learn_turns() found: where they stand, how each
/// is spelled, what is said around them. True where the rules then write tools as the template
/// does; otherwise they are as they were, and a gap says why.
Result<bool> learn_tools(Lesson& lesson, Tokenizer& tokenizer);

}  // namespace pedro
