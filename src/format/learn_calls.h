#pragma once

#include "format/lesson.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// What of calls came out.
struct LearnedCalls {
  bool calls = false;  ///< one call and its result, and the answer behind it
  bool several = false;
  bool text = false;
  bool thinking = false;
};

/// Learns how calls, results, text in front of calls and thinking are written, on top of what
/// learn_turns() and learn_tools() found. What the rules do not write as the template does is not
/// in them, and a gap says so.
Result<LearnedCalls> learn_calls(Lesson& lesson, Tokenizer& tokenizer);

}  // namespace pedro
