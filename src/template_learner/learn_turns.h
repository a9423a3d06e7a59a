#pragma once

#include "template_learner/lesson.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Learns the form of conversations without tools: all required pieces, `begin` if the template
/// writes it, and trimming. Puts the names of tokens into `lesson.cutter`. Returns true if the
/// rules then write such conversations like the template. Error (kModel): a question and an answer
/// do not appear in order, each once.
Result<bool> learn_turns(Lesson& lesson, Tokenizer& tokenizer);

/// Returns true if the rules still write conversations without tools like the template after later
/// steps. Adds a gap for each difference. Sends no requests that learn_turns() did not send.
Result<bool> check_turns(Lesson& lesson);

}  // namespace pedro
