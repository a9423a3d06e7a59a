#pragma once

#include "format/lesson.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Learns how tools are made known, on top of what learn_turns() found: where they stand, how each
/// is spelled, what is said around them. True where the rules then write tools as the template
/// does; otherwise they are as they were, and a gap says why.
Result<bool> learn_tools(Lesson& lesson, Tokenizer& tokenizer);

/// Whether the rules still write tools as the template does, once more was learned; else a gap says
/// that they do not. Asks the template nothing that learn_tools() did not.
Result<bool> check_tools(Lesson& lesson);

}  // namespace pedro
