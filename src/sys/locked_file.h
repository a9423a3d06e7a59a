#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "sys/descriptor.h"

namespace pedro {

/// An append-only file of lines, locked by one process at a time. Holds flock(2) on the file during
/// its lifetime; the kernel releases the lock when the process dies.
class LockedFile {
 public:
  /// Opens the file, or creates it (0600). Errors: kUsage if another process holds the lock, or the
  /// file is not a regular file. kInternal if the file system has no locks.
  static Result<LockedFile> open(const std::string& path);

  /// Returns the whole file. Errors: it is longer than `max_bytes`.
  Result<std::string> read(std::uint64_t max_bytes) const;

  /// Appends a line and syncs it to the disk. First ends an incomplete line that a crash left.
  Status append(std::string_view line);

 private:
  LockedFile(std::string path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  Descriptor file_;
};

}  // namespace pedro
