#pragma once

#include "base/cancel.h"

namespace pedro {

/// Sleeps for `seconds`, or until `cancel` is set, with a delay of at most 100 ms.
void sleep_unless_cancelled(double seconds, const CancelToken& cancel);

}  // namespace pedro
