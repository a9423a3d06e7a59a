#include "sys/growing_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "sys/file_parts.h"

namespace pedro {
namespace {

constexpr std::size_t kPartBytes = std::size_t{1} << 20;

}  // namespace

Result<GrowingFile> GrowingFile::open(const std::string& path) {
  // Without O_NONBLOCK, opening a pipe without a writer would block forever.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.open()) return Error{ErrorKind::kUsage, failure(path, errno).message};
  struct stat status {};
  if (Status regular = require_regular(path, file.get(), status); !regular) {
    return Error{ErrorKind::kUsage, regular.error().message};
  }
  return GrowingFile(path, std::move(file));
}

Result<std::string> GrowingFile::read_new() {
  std::string part(kPartBytes, '\0');
  long got = -1;
  do {
    got = ::pread(file_.get(), part.data(), part.size(), read_bytes_);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return failure(path_, errno);
  part.resize(static_cast<std::size_t>(got));
  read_bytes_ += got;
  return part;
}

bool GrowingFile::removed() const {
  struct stat status {};
  return ::fstat(file_.get(), &status) != 0 || status.st_nlink == 0;
}

}  // namespace pedro
