#include "sys/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>

#include "sys/descriptor.h"

namespace pedro {

Result<MappedFile> MappedFile::open(const std::string& path) {
  const auto failed = [&](const std::string& why) {
    return Error{ErrorKind::kUsage, path + ": " + why};
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file.open() || ::fstat(file.get(), &status) != 0) return failed(errno_text(errno));
  if (S_ISDIR(status.st_mode)) return failed("is a folder");
  if (!S_ISREG(status.st_mode)) return failed("is not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return MappedFile(nullptr, 0);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) return failed(errno_text(errno));
  return MappedFile(data, size);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace pedro
