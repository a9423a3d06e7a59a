#pragma once

#include "template_learner/lesson.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// The parts of calls that were learned.
struct LearnedCalls {
  bool calls = false;  ///< one call, its result and the answer after it
  bool several = false;
  bool text = false;
  bool thinking = false;
};

/// Learns the form of calls, results, text before calls and thinking. Builds on learn_turns() and
/// learn_tools(). Rules omit the parts that differ from the template; gaps report them.
Result<LearnedCalls> learn_calls(Lesson& lesson, Tokenizer& tokenizer);

}  // namespace pedro
