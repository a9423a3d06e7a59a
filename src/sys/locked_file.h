#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "sys/descriptor.h"

namespace pedro {

/// A file that lines are added to, by one process at a time: flock(2) on the file itself keeps
/// others out for as long as this lives, and goes with the process.
class LockedFile {
 public:
  /// Opens it, or makes it (0600). Error (kUsage): somebody else has it, or it is no regular file;
  /// others where the file system has no locks.
  static Result<LockedFile> open(const std::string& path);

  /// All that is in it; an error where that is more than `max_bytes`.
  Result<std::string> read(std::uint64_t max_bytes) const;

  /// Adds a line, which is on the disk afterwards. A line that a crash cut before is ended first.
  Status append(std::string_view line);

 private:
  LockedFile(std::string path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  Descriptor file_;
};

}  // namespace pedro
