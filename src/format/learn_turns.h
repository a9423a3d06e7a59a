#pragma once

#include "format/lesson.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// Learns how conversations without tools are written: all pieces that they need, `begin` where the
/// template writes it, what is trimmed; the names of tokens go to `lesson.cutter`. True where the
/// rules then write such conversations as the template does. An Error (kModel) where a question and
/// an answer do not come out in order, each once.
Result<bool> learn_turns(Lesson& lesson, Tokenizer& tokenizer);

/// Whether the rules still write conversations without tools as the template does, once more was
/// learned; a gap for each that they do not. Asks the template nothing that learn_turns() did not.
Result<bool> check_turns(Lesson& lesson);

}  // namespace pedro
