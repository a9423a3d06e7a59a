#pragma once

#include "base/cancel.h"

namespace pedro {

/// Waits for `seconds`; once `cancel` is set for at most 100 ms more.
void sleep_unless_cancelled(double seconds, const CancelToken& cancel);

}  // namespace pedro
