#include "sys/locked_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "sys/file_parts.h"

namespace pedro {

Result<LockedFile> LockedFile::open(const std::string& path) {
  Result<Descriptor> file = open_or_make(path, O_RDWR | O_APPEND);
  if (!file) return Error{ErrorKind::kUsage, file.error().message};
  struct stat status {};
  if (Status regular = require_regular(path, file->get(), status); !regular) {
    return Error{ErrorKind::kUsage, regular.error().message};
  }
  if (::flock(file->get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return failure(path, errno);
    return Error{ErrorKind::kUsage, path + ": another pedrocli is using it"};
  }
  return LockedFile(path, *std::move(file));
}

Result<std::string> LockedFile::read(std::uint64_t max_bytes) const {
  if (::lseek(file_.get(), 0, SEEK_SET) != 0) return failure(path_, errno);
  return read_regular(path_, file_.get(), max_bytes);
}

Status LockedFile::append(std::string_view line) {
  struct stat status {};
  char last = '\n';
  if (::fstat(file_.get(), &status) != 0) return failure(path_, errno);
  if (status.st_size > 0) {
    const ssize_t count = ::pread(file_.get(), &last, 1, status.st_size - 1);
    if (count != 1) return failure(path_, count < 0 ? errno : EIO);
  }
  std::string text = last == '\n' ? "" : "\n";
  text.append(line).append("\n");
  int error = write_all(file_.get(), text);
  if (error == 0) error = sync_file(file_.get());
  if (error != 0) return failure(path_, error);
  return {};
}

}  // namespace pedro
