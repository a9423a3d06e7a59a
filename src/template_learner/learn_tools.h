#pragma once

#include "template_learner/lesson.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Learns the form of tools: their position, their spelling and the text around them. Builds on
/// learn_turns(). Returns true if the rules then write tools like the template. Otherwise the rules
/// stay unchanged and a gap gives the reason.
Result<bool> learn_tools(Lesson& lesson, Tokenizer& tokenizer);

/// Returns true if the rules still write tools like the template after later steps; otherwise adds
/// a gap. Sends no requests that learn_tools() did not send.
Result<bool> check_tools(Lesson& lesson);

}  // namespace pedro
