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
  /// nothing is locked, and held() is false.
  static Result<FolderLock> take(const std::string& folder);

  /// Nobody else has it. Otherwise nobody knows whether somebody is at work there.
  bool held() const { return held_; }

 private:
  FolderLock(Descriptor folder, bool held) : folder_(std::move(folder)), held_(held) {}

  Descriptor folder_;
  bool held_;
};

}  // namespace pedro
