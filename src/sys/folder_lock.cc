#include "sys/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace pedro {

Result<FolderLock> FolderLock::take(const std::string& folder) {
  Descriptor open_folder(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!open_folder.open()) return Error{ErrorKind::kUsage, folder + ": " + errno_text(errno)};
  const bool held = ::flock(open_folder.get(), LOCK_EX | LOCK_NB) == 0;
  if (!held && errno == EWOULDBLOCK) {
    return Error{ErrorKind::kUsage, folder +
                                        ": another pedrocli is working here; wait for it, or use a "
                                        "separate work tree (build -worktree)"};
  }
  return FolderLock(std::move(open_folder), held);
}

}  // namespace pedro
