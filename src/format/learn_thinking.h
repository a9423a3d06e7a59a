#pragma once

#include "format/lesson.h"

namespace pedro {

/// Learns how thinking is written, and of which turns, on top of what learn_calls() found of calls.
/// True where the rules then write it as the template does, or leave it out as that does.
Result<bool> learn_thinking(Lesson& lesson);

}  // namespace pedro
