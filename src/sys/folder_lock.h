#pragma once

#include <string>

#include "base/result.h"
#include "sys/descriptor.h"

namespace pedro {

/// Keeps other pedrocli processes out of a folder for as long as it lives: flock(2) on the folder
/// itself, so nothing is written and the kernel gives it up when the process dies. Children do not
/// inherit it.
class FolderLock {
 public:
  /// Does not wait. Error (kUsage): somebody else holds it. Where the file system has no locks,
  /// nothing is locked.
  static Result<FolderLock> take(const std::string& folder);

 private:
  explicit FolderLock(Descriptor folder) : folder_(std::move(folder)) {}

  Descriptor folder_;
};

}  // namespace pedro
