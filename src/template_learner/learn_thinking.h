#pragma once

#include "template_learner/lesson.h"

namespace pedro {

/// Learns the form of thinking and the turns that keep it. Builds on learn_calls(). Returns true if
/// the rules write or omit thinking like the template.
Result<bool> learn_thinking(Lesson& lesson);

}  // namespace pedro
