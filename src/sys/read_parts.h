#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/result.h"

namespace pedro {

/// Reads a file, a pipe, a device or standard input ("-") to its end. Passes the bytes to `take` in
/// parts of up to 1 MiB, in constant memory. Errors: "PATH: REASON" (kUsage), kInterrupted, and
/// those of `take`, which end the read.
Status read_parts(const std::string& path, const CancelToken& cancel,
                  const std::function<Status(std::string_view part)>& take);

/// Returns all bytes of the same. Errors (kUsage): more than `max_bytes`, or unreadable;
/// kInterrupted.
Result<std::string> read_stream(const std::string& path, std::size_t max_bytes,
                                const CancelToken& cancel);

}  // namespace pedro
