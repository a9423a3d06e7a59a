#pragma once

#include <string>

#include "base/result.h"
#include "sys/descriptor.h"

namespace pedro {

/// Locks a folder against other pedrocli processes during its lifetime. Uses flock(2) on the
/// folder, so it writes nothing, and the kernel releases the lock when the process dies. Children
/// do not inherit it.
class FolderLock {
 public:
  /// Locks without waiting. Errors (kUsage): another process holds the lock; the folder cannot be
  /// opened. If the file system has no locks, held() is false.
  static Result<FolderLock> take(const std::string& folder);

  /// Returns true if this object holds the lock; false if the file system has no locks.
  bool held() const { return held_; }

 private:
  FolderLock(Descriptor folder, bool held) : folder_(std::move(folder)), held_(held) {}

  Descriptor folder_;
  bool held_;
};

}  // namespace pedro
