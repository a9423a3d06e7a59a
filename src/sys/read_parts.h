#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/result.h"

namespace pedro {

/// Reads a file, a pipe, a device or, with "-", standard input to its end, and gives what it read
/// to `take` in parts of up to 1 MiB, in memory that does not grow. Errors: "PATH: reason"
/// (kUsage), kInterrupted, and those of `take`, which end it.
Status read_parts(const std::string& path, const CancelToken& cancel,
                  const std::function<Status(std::string_view part)>& take);

}  // namespace pedro
