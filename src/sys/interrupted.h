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

/// The error is of interrupted(), and nobody stopped it: it was time.
inline bool is_late(const Error& error, const CancelToken& cancel) {
  return error.kind == ErrorKind::kInterrupted && cancel.signal() == 0 && cancel.left_s() <= 0;
}

}  // namespace pedro
