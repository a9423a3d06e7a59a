#pragma once

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/result.h"

namespace pedro {

/// Returns the error of an operation that `cancel` interrupted.
inline Error interrupted(const CancelToken& cancel) {
  return Error{ErrorKind::kInterrupted, cancel.signal() == 0
                                            ? "the job's time ran out"
                                            : fmt::format("stopped by signal {}", cancel.signal())};
}

/// Returns true if `error` is from interrupted() because of the deadline, not a signal.
inline bool is_late(const Error& error, const CancelToken& cancel) {
  return error.kind == ErrorKind::kInterrupted && cancel.signal() == 0 && cancel.left_s() <= 0;
}

}  // namespace pedro
