#pragma once

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/result.h"

namespace pedro {

/// What everything returns that was waiting when `cancel` was set.
inline Error interrupted(const CancelToken& cancel) {
  return Error{ErrorKind::kInterrupted, cancel.signal() == 0
                                            ? "the job's time is over"
                                            : fmt::format("stopped by signal {}", cancel.signal())};
}

}  // namespace pedro
